import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings
import Support
import TraceStore

/// What algorithms know of a place, to locate any node there.
final class Locator {
  let anchors: KnownAnchors
  private let plan: LocatePlan
  private let fold: Fold
  private let knowledge: FoldSurroundings
  private let receptions: [NodeRole: [Anchor.Reception?]]
  /// The latest map, and what it was learned from.
  private var map: (anchors: [Anchor], survey: [SurveyPoint], map: RadioMap?)?

  /// - Parameters:
  ///   - catalogue: the tables of a recording, or empty ones for a stream.
  ///   - path: what messages call the recording.
  init(_ plan: LocatePlan, _ catalogue: Catalogue, of path: String, constants: LinkConstants) throws
  {
    self.plan = plan
    anchors = try KnownAnchors(catalogue, nodes: plan.place.nodes, site: plan.site?.site)
    guard !anchors.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(path) has no anchors: give --site site.toml or --nodes nodes.csv, which tell the places "
          + "of the fixed nodes"
      )
    }
    try plan.site?.requireMetres(
      plan.place.site ?? "", anchors: anchors.beacons + anchors.receivers,
      bounds: plan.place.bounds?.bounds)
    var reading = TargetReading(
      plan: .periodic(step: plan.rule.step, window: plan.rule.window), site: plan.site)
    reading.know(beacons: anchors.beacons, receivers: anchors.receivers)
    reading.truthAt = .epoch
    var survey: [(target: AskedTarget, epochs: [Int])] = []
    for path in plan.place.survey {
      let reader = try TraceReader(path: path)
      survey += try reading.read(
        reader, file: -1, filter: chosenFilter(plan.asking.filtered, of: reader)
      ) { plan.reporting.log.progress("locate \(path)", total: $0) }
      .map { ($0, Array($0.epochs.indices)) }
    }
    let fold = Fold(leftOut: nil, epochs: [], constants: constants, survey: survey)
    let knowledge = FoldSurroundings(
      dimensions: plan.place.dimensions == 3 ? .space : .plane, bounds: plan.place.bounds?.bounds,
      site: plan.site, reading: reading)
    (self.fold, self.knowledge) = (fold, knowledge)
    receptions = Dictionary(
      uniqueKeysWithValues: [NodeRole.receiver, .beacon].map {
        ($0, knowledge.receptions(fold, by: $0))
      })
  }

  /// Sentences about which constants were used, and about a site too large for small cells.
  var notes: [String] {
    fold.constants.notes
      + (plan.algorithmName.contains("grid-") ? [knowledge.coarseness].compactMap(\.self) : [])
  }

  /// What is known to locate a node.
  func surroundings(of node: MovingNode) throws -> Surroundings {
    let target = AskedTarget(
      name: node.traceName, trace: node.traceName, node: node.id, role: node.role,
      height: plan.place.height, file: 0, epochs: [])
    var known = try knowledge.surroundings(
      of: target, fold, receptions: receptions[node.role] ?? [])
    guard !known.survey.isEmpty else { return known }
    if let map, map.anchors == known.anchors, map.survey == known.survey {
      known.radioMap = map.map
    } else {
      let learned = RadioMap(survey: known.survey, anchors: known.anchors)
      map = (known.anchors, known.survey, learned)
      known.radioMap = learned
    }
    return known
  }

  /// The algorithm for a node.
  func algorithm(for node: MovingNode) -> any PositioningAlgorithm {
    let list = node.role == .receiver ? anchors.beacons : anchors.receivers
    return plan.algorithm(anchors: list.map(\.id)).0
  }
}
