package import Evaluation
package import Geometry
package import Positioning
import Recordings
package import Registries
import Sightings
import Sites
package import Support
import TraceStore

/// The content of pictures and tables of a radio map, from its file.
package struct MappedSite: Sendable {
  /// The plane of a site, or one floor of a building.
  package struct Floor: Sendable {
    package let grid: CellGrid
    /// The expected error of a position in each cell, in metres; in a building, of those on the
    /// right floor.
    package let errors: [Double]
    /// The expected share of positions on the right floor in each cell; empty for a plane.
    package let rightFloor: [Double]
    /// The expected number of received anchors in each cell.
    package let received: [Double]
    /// The places at which levels were surveyed.
    package let surveyed: [Point]
  }

  /// The name for messages and titles: that of its file without folder and extension.
  package let name: String
  package let site: ReportedSite
  /// The names of the anchors, by their numbers.
  package let anchors: [String]
  /// The floors of a building in the site's order, or the plane.
  package let floors: [Floor]
  /// The places for a further survey of a plane, the most informative first.
  package let proposals: [Point]
  private let raster: Raster

  private enum Raster {
    case plane(RadioMapRaster)
    case building(BuildingRaster)
  }

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
    var plan = try SitePlan(
      path: sitePath, bounds: bounds, dimensions: file.stored.isSpace ? .space : .plane)
    if file.stored.isOfBuilding { try plan.learnFloors(of: [file.catalogue]) }
    let (known, nodes) = try file.surroundings(at: plan)
    let maps = known.learnedMaps
    try plan.requireMetres(anchors: file.anchors)
    name = fileStem(path)
    site = try plan.reported(anchors: file.anchors, names, showsFloor: true)
    anchors = nodes.map { names.title(of: $0) }
    if let map = maps.building {
      let raster = BuildingRaster(map, survey: known.survey)
      floors = Self.floors(raster, known, log)
      (self.raster, proposals) = (.building(raster), [])
    } else if let map = maps.plane {
      let surveyed = known.survey.map(\.place)
      let area = plan.bounds ?? Self.area(around: surveyed + known.anchors.map(\.place))
      let raster = RadioMapRaster(map, known.anchors, over: area)
      let line = log.progress("map: expected errors", total: raster.grid.count)
      defer { line.finish() }
      floors = [
        Floor(
          grid: raster.grid, errors: raster.expectedErrors(in: known) { line.update($0) },
          rightFloor: [], received: raster.received, surveyed: surveyed)
      ]
      let rooms = plan.site?.rooms ?? []
      proposals = raster.proposals(Self.mostProposals) { place in
        rooms.isEmpty || rooms.contains { (try? $0.contains(place)) ?? false }
      }
      self.raster = .plane(raster)
    } else {
      throw RSSIError(
        .badInput, "the radio map cannot be computed from its levels", in: path,
        advice: "learn it again")
    }
  }

  private static let mostProposals = 5

  private static func floors(
    _ raster: BuildingRaster, _ known: Surroundings, _ log: any ActivityLog
  ) -> [Floor] {
    let line = log.progress("map: expected errors", total: raster.windows)
    defer { line.finish() }
    let accuracy = raster.expectedAccuracy { line.update($0) }
    return raster.grids.indices.map { floor in
      Floor(
        grid: raster.grids[floor], errors: accuracy[floor].errors,
        rightFloor: accuracy[floor].rightFloor, received: raster.received(on: floor),
        surveyed: known.survey.filter { $0.floor == floor }.map(\.place))
    }
  }

  /// Returns the levels of an anchor on a floor, nil if the survey did not receive it there.
  package func layer(ofAnchor number: Int, on floor: Int) -> RadioMapRaster.Layer? {
    switch raster {
    case .plane(let raster): raster.layers[number]
    case .building(let raster): raster.layer(anchor: number, on: floor)
    }
  }

  /// The places at which levels were surveyed, with their floors.
  package var surveyed: [(floor: Int, place: Point)] {
    floors.enumerated().flatMap { floor, content in content.surveyed.map { (floor, $0) } }
  }

  /// Returns the rectangle around some places, with a margin of one metre.
  private static func area(around places: [Point]) -> Bounds {
    let box =
      Bounds(around: places)
      ?? Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 0, y: 0))
    return Bounds(
      minimum: Point(x: box.minimum.x - 1, y: box.minimum.y - 1),
      maximum: Point(x: box.maximum.x + 1, y: box.maximum.y + 1))
  }
}
