package import Evaluation
package import Geometry
package import Positioning
import Registries
package import Sightings
import Support
import TraceStore

/// Places the beacons that walks with truth heard, and compares known places with what was heard.
///
/// ```swift
/// var request = MapRequest(output: "nodes.csv")
/// request.inputs = ["walks.h5"]
/// let result = try BeaconPlacesStage(request).run()
/// print(result.placed, "beacons")
/// ```
public struct BeaconPlacesStage: Stage {
  private let request: MapRequest

  public init(_ request: MapRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> BeaconPlacesResult {
    try request.check()
    var plan = try SitePlan(path: request.site, bounds: nil, dimensions: .plane)
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    try plan.learnFloors(of: readers.map(\.catalogue))
    let survey = try RecordedSurvey(request, readers, plan: plan, takesAll: true, log: context.log)
    try plan.requireMetres(anchors: survey.anchors.all.filter(\.isAnchor))
    let role = survey.targets[0].role
    let nodes = survey.anchors.locating(role)
    let points = SurveyedSite(
      survey.targets.map { SurveyTrack($0) }, among: survey.anchors, isInBuilding: true
    ).points(role, reference: nil)
    var settings = BeaconPlaces.Settings(anchors: nodes.count)
    settings.known = nodes.map(\.place)
    settings.shifts = plan.floors.map { floor in
      floor.shiftX.isFinite ? Point(x: floor.shiftX, y: floor.shiftY) : nil
    }
    settings.largestDeviation = request.largestDeviation
    let line = context.log.progress("map: places of beacons", total: 1)
    defer { line.finish() }
    let places = BeaconPlaces(survey: points, settings)
    guard places.beacons.contains(where: { $0.place != nil }) else {
      throw RSSIError(
        .badInput,
        "no beacon was heard at \(BeaconPlaces.fewestLevels) places where the truth is known",
        advice: "walk past the beacons more often, or check the clock of the truth")
    }
    var result = BeaconPlacesResult(
      role: role == .receiver ? .beacon : .receiver, nodes: nodes, places: places,
      settings: settings)
    result.surveyed = points.map { ($0.floor, $0.place) }
    result.floors = plan.building?.floors.map(\.name) ?? []
    result.notes = survey.notes
    result.site = try plan.reported(
      anchors: nodes, BeaconNames(Registry()), showsFloor: true)
    return result
  }
}

/// The places of the fixed nodes that a survey heard.
public struct BeaconPlacesResult: Sendable {
  /// The role of the placed nodes.
  package var role: NodeRole
  /// The nodes, by the numbers of anchors.
  package var nodes: [Node]
  package var places: BeaconPlaces
  package var settings: BeaconPlaces.Settings
  /// The places at which levels were surveyed, with their floors.
  package var surveyed: [(floor: Int, place: Point)] = []
  /// The names of the floors; empty for a plane.
  package var floors: [String] = []
  package var site = ReportedSite()
  /// The notes about the survey, for the user.
  public var notes: [String] = []

  package init(
    role: NodeRole, nodes: [Node], places: BeaconPlaces, settings: BeaconPlaces.Settings
  ) {
    (self.role, self.nodes, self.places, self.settings) = (role, nodes, places, settings)
  }

  /// Returns a Boolean value that is true if a known place contradicts the survey.
  package func isMisplaced(_ beacon: PlacedBeacon) -> Bool {
    beacon.known.map { $0.logRatio > places.threshold } ?? false
  }

  /// The number of nodes that were placed.
  public var placed: Int { places.beacons.count { $0.verdict == .placed } }
}
