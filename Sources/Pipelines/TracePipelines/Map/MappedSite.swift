package import Evaluation
package import Geometry
package import Positioning
import Recordings
package import Registries
import Sites
package import Support
import TraceStore

/// The content of pictures of a radio map, from its file.
package struct MappedSite: Sendable {
  /// The name for messages and titles: that of its file without folder and extension.
  package let name: String
  package let site: ReportedSite
  /// The names of the anchors, in the order of the raster's.
  package let anchors: [String]
  package let raster: RadioMapRaster
  /// The expected error of a position in each cell of the raster, in metres.
  package let errors: [Double]
  /// The places at which levels were surveyed.
  package let surveyed: [Point]
  /// The places for a further survey, the most informative first.
  package let proposals: [Point]

  /// - Parameters:
  ///   - path: a file that `RadioMapLearning` wrote.
  ///   - sitePath: the site file, whose walls and rooms are shown; nil = none.
  ///   - bounds: the floor; nil = that of the site, or around anchors and surveyed places.
  ///   - names: the names of the anchors.
  ///   - log: receives the progress of the simulation of errors.
  /// - Throws: `RSSIError` for a file without a radio map, or a site that cannot be used.
  package init(
    path: String, site sitePath: String?, bounds: Bounds? = nil, _ names: BeaconNames,
    log: any ActivityLog
  ) throws {
    let file = try RadioMapFile(path: path)
    guard !file.stored.isOfBuilding else {
      throw RSSIError(
        .badInput,
        "pictures and tables are of the radio map of one plane, and this is of a building",
        in: path, advice: "leave `report` out")
    }
    var own = SiteAnchors()
    let survey = try file.survey(among: &own, at: SitePlan(nil))
    guard let learned = survey.learned else {
      throw RSSIError(.badInput, "this trace has no radio map", in: path)
    }
    let points = survey.points(file.role, reference: learned.height)
    let anchors = learned.anchors.sorted { $0.key < $1.key }.map(\.value)
    guard let map = RadioMap(survey: points, anchors: anchors, variation: learned.variation) else {
      throw RSSIError(
        .badInput, "the radio map cannot be computed from its levels", in: path,
        advice: "learn it again")
    }
    let plan = try SitePlan(path: sitePath, bounds: bounds, dimensions: learned.dimensions)
    try plan.requireMetres(anchors: file.anchors)
    name = fileStem(path)
    site = try plan.reported(anchors: file.anchors, names, showsFloor: true)
    self.anchors = site.anchors.map(\.name)
    surveyed = points.map(\.place)
    let floor = plan.bounds ?? Self.floor(around: surveyed + anchors.map(\.place))
    raster = RadioMapRaster(map, anchors, over: floor)
    var known = plan.surroundings
    (known.anchors, known.survey) = (anchors, points)
    let line = log.progress("map: expected errors", total: raster.places.count)
    defer { line.finish() }
    errors = raster.expectedErrors(in: known) { line.update($0) }
    let rooms = plan.site?.rooms ?? []
    proposals = raster.proposals(Self.mostProposals) { place in
      rooms.isEmpty || rooms.contains { (try? $0.contains(place)) ?? false }
    }
  }

  private static let mostProposals = 5

  /// Returns the rectangle around some places, with a margin of one metre.
  private static func floor(around places: [Point]) -> Bounds {
    let box =
      Bounds(around: places)
      ?? Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 0, y: 0))
    return Bounds(
      minimum: Point(x: box.minimum.x - 1, y: box.minimum.y - 1),
      maximum: Point(x: box.maximum.x + 1, y: box.maximum.y + 1))
  }
}
