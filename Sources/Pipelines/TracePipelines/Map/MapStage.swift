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
    let calibration = try request.calibration.map { try Calibration(path: $0) }
    let constants = try calibration.map {
      try LinkConstants($0, of: request.calibration ?? "", group: request.group)
    }
    var plan = try SitePlan(path: request.site, bounds: nil, dimensions: request.dimensions)
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    try plan.learnFloors(of: readers.map(\.catalogue))
    let survey = try RecordedSurvey(
      request, readers, plan: plan, channels: constants?.channels, log: log)
    let placed = survey.anchors.all.filter(\.isAnchor)
    guard constants != nil || placed.isEmpty else {
      throw RSSIError(
        .usage, "give the path-loss constants with `calibration`, as `rssi fit -o` writes them")
    }
    try plan.requireMetres(anchors: placed)
    let known = try surroundings(
      of: survey,
      SiteKnowledge(
        plan, anchors: survey.anchors, constants: constants,
        survey: survey.targets.map { SurveyTrack($0) }))
    let line = log.progress("map: radio map", total: 1)
    defer { line.finish() }
    let maps = known.learnedMaps
    guard let variation = maps.plane?.variation ?? maps.building?.variation else {
      throw RSSIError(
        .badInput,
        "the survey has fewer than \(RadioMap.fewestLevels) levels of anchors at places where the "
          + "truth is known: survey more places, or check the names in `site`")
    }
    var stored = survey.stored(variation, maps.building?.exponents, known, of: request)
    if let plane = maps.plane {
      (stored.commonVariance, stored.dispersion) = (plane.commonVariance, plane.dispersion)
    }
    guard stored.variation.isUsable else {
      throw RSSIError(
        .badInput,
        "the variation of the survey's levels is implausible: check its truth and its levels")
    }
    try write(stored, survey.catalogue, calibration, step)
    return MapResult(
      path: request.output, stored: stored, ignored: maps.plane?.ignored ?? 0,
      notes: survey.notes + (constants?.notes ?? []))
  }

  /// Returns the knowledge about the nodes of the survey, which must be the same for all.
  private func surroundings(
    of survey: RecordedSurvey, _ knowledge: SiteKnowledge
  ) throws -> Surroundings {
    func surroundings(of target: AskedTarget) throws -> Surroundings {
      try knowledge.surroundings(
        of: target.node, target.role, in: target.trace, height: request.height)
    }
    let first = try surroundings(of: survey.targets[0])
    for target in survey.targets where try !surroundings(of: target).hasSameMap(as: first) {
      throw RSSIError(
        .badInput,
        "\(request.calibration ?? "the calibration") has other constants for \(target.node) in "
          + "\(target.trace) than for "
          + "\(survey.targets[0].node) in \(survey.targets[0].trace), and a radio map has one set: "
          + "choose a `group` of the calibration, or learn from a `trace` of one node")
    }
    return first
  }

  private func write(
    _ stored: StoredRadioMap, _ catalogue: Catalogue, _ calibration: Calibration?,
    _ step: Provenance
  ) throws {
    var heading = TraceHeading(provenance: [step])
    heading.clock = "none: a radio map has no sightings"
    heading.calibration = try calibration.map { $0.stored(as: try jsonText($0)) }
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
