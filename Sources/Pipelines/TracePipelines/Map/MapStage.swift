import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings
import Support
package import TraceStore

/// Learns the radio map of a site from a survey, as eval and locate do, and writes it.
///
/// ```swift
/// var request = MapRequest(output: "map.h5")
/// request.inputs = ["survey.h5"]
/// request.calibration = "calibration.json"
/// let result = try MapStage(request).run()
/// print(result.stored.variation.spread)
/// ```
public struct MapStage: Stage {
  private let request: MapRequest

  public init(_ request: MapRequest) { self.request = request }

  /// Learns the map and writes its file, which appears only when it is whole.
  public func perform(in context: StageContext) throws -> MapResult {
    try request.check()
    let log = context.log
    let step = try context.tool.provenance(
      of: "map",
      inputs: request.inputs + [request.calibration, request.site].compactMap(\.self))
    let calibration = try Calibration(path: request.calibration)
    let constants = try LinkConstants(calibration, of: request.calibration, group: request.group)
    let plan = try SitePlan(path: request.site, bounds: nil, dimensions: request.dimensions)
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    let survey = try RecordedSurvey(
      request, readers, plan: plan, channels: constants.channels, log: log)
    try plan.requireMetres(anchors: survey.anchors.all)
    let known = try surroundings(
      of: survey,
      SiteKnowledge(
        plan, anchors: survey.anchors, constants: constants,
        survey: survey.targets.map { SurveyTrack($0) }))
    let line = log.progress("map: radio map", total: 1)
    defer { line.finish() }
    guard let map = known.learnedMaps.plane else {
      throw RSSIError(
        .badInput,
        "the survey has fewer than \(RadioMap.fewestLevels) levels of anchors at places where the "
          + "truth is known: survey more places, or check the names in `site`")
    }
    let stored = survey.stored(map, known, of: request)
    guard stored.variation.isUsable else {
      throw RSSIError(
        .badInput,
        "the variation of the survey's levels is implausible: check its truth and its levels")
    }
    try write(stored, survey.catalogue, calibration, step)
    return MapResult(
      path: request.output, stored: stored, ignored: map.ignored,
      notes: survey.notes + constants.notes)
  }

  /// Returns the knowledge about the nodes of the survey, which must be the same for all.
  private func surroundings(
    of survey: RecordedSurvey, _ knowledge: SiteKnowledge
  ) throws -> Surroundings {
    let all = try survey.targets.map { target in
      try knowledge.surroundings(
        of: target.node, target.role, in: target.trace, height: request.height)
    }
    for (known, target) in zip(all, survey.targets) where !known.hasSameMap(as: all[0]) {
      throw RSSIError(
        .badInput,
        "\(request.calibration) has other constants for \(target.node) in \(target.trace) than for "
          + "\(survey.targets[0].node) in \(survey.targets[0].trace), and a radio map has one set: "
          + "choose a `group` of the calibration, or learn from a `trace` of one node")
    }
    return all[0]
  }

  private func write(
    _ stored: StoredRadioMap, _ catalogue: Catalogue, _ calibration: Calibration,
    _ step: Provenance
  ) throws {
    var heading = TraceHeading(provenance: [step])
    heading.clock = "none: a radio map has no sightings"
    heading.calibration = calibration.stored(as: try jsonText(calibration))
    heading.radioMap = stored
    try TraceSink(path: request.output, heading: heading).finish(catalogue)
  }
}

/// The file and the figures of a learned radio map.
public struct MapResult: Sendable {
  /// The path of the file with the map.
  public var path: String
  package var stored: StoredRadioMap
  /// The number of levels of the survey that were left out, without an anchor or a level.
  public var ignored: Int
  /// The notes about the map, for the user.
  public var notes: [String]
}
