package import Evaluation
package import Geometry
package import Positioning
package import Registries
package import Sightings
package import Sites
package import Support
import TraceStore

/// The site file, and the search area and dimensions of positions.
package struct SitePlan: Sendable {
  package let dimensions: Surroundings.Dimensions
  /// The requested search area; nil = that of the site, or of the anchors.
  let requestedBounds: Bounds?
  /// The site; nil without a site file.
  package let site: Site?
  /// The site file, for messages.
  private let path: String
  let rooms: [Polygon]
  let walls: [Segment]
  /// The floors of the site; nil if there is one plane, in which anchors have places.
  package private(set) var building: Building?
  /// The floors of the building, as its files have them; empty if it has one without a name.
  package private(set) var floors: [Floor] = []

  package init(
    _ site: Site?, path: String = "the site", bounds: Bounds? = nil,
    dimensions: Surroundings.Dimensions = .plane
  ) {
    self.site = site
    self.path = path
    requestedBounds = bounds
    self.dimensions = dimensions
    rooms = (site?.rooms ?? []).filter(\.isWalkable).map {
      Polygon(name: $0.name, corners: $0.polygon)
    }
    walls = (site?.walls ?? []).flatMap { wall in
      zip(wall.points, wall.points.dropFirst()).map { Segment(from: $0, to: $1) }
    }
  }

  /// - Parameter path: the site file; nil = none.
  package init(
    path: String?, bounds: Bounds?, dimensions: Surroundings.Dimensions
  ) throws {
    self.init(
      try path.map { try Site(path: $0) }, path: path ?? "the site", bounds: bounds,
      dimensions: dimensions)
  }

  /// The requested search area, or the rectangle around everything in the site file; nil if that
  /// has no walls or rooms.
  package var bounds: Bounds? {
    if let requestedBounds { return requestedBounds }
    guard let site else { return nil }
    let outlines = site.walls.flatMap(\.points) + site.rooms.flatMap(\.polygon)
    guard !outlines.isEmpty else { return nil }
    return Bounds(around: outlines + site.anchors.map(\.place))
  }

  /// The knowledge that all targets share.
  var surroundings: Surroundings {
    var known = Surroundings()
    known.dimensions = dimensions
    known.bounds = bounds
    // Rooms and walls are of one plane; the floors of a building have outlines of their own.
    if building == nil { (known.rooms, known.walls) = (rooms, walls) }
    known.spots = site?.spots.map(\.place) ?? []
    known.building = building
    return known
  }

  /// Returns the tables of a file with the places of anchors that the file does not have.
  package func placing(_ catalogue: Catalogue) throws -> Catalogue {
    try site?.placing(catalogue) ?? catalogue
  }

  /// Takes the floors of recordings, in the order of their levels, then of their names. Recordings
  /// without an anchor at a known place are of a building, too, if only of one floor.
  ///
  /// - Parameter hasAnchors: true if there are anchors at known places besides those of the
  ///   recordings.
  mutating func learnFloors(of catalogues: [Catalogue], hasAnchors: Bool = false) throws {
    var floors: [Floor] = []
    for floor in catalogues.flatMap(\.floors)
    where !floors.contains(where: { $0.name == floor.name }) {
      floors.append(floor)
    }
    if let site, site.floors.count > 1 {
      for floor in site.floors where !floors.contains(where: { $0.name == floor.name }) {
        floors.append(Floor(name: floor.name))
      }
    }
    let drawn = Dictionary(
      uniqueKeysWithValues: (site?.floors ?? []).map { ($0.name, $0) })
    for row in floors.indices {
      floors[row].level = drawn[floors[row].name]?.level ?? floors[row].level
    }
    floors.sort { ($0.level ?? .max, $0.name) < ($1.level ?? .max, $1.name) }
    let isPlaced = try catalogues.contains {
      try placing($0).hasAnchors
    }
    guard floors.count > 1 || !(isPlaced || hasAnchors) else { return }
    self.floors = floors
    let known = floors.isEmpty ? [Floor(name: "")] : floors
    let names = known.map(\.name)
    building = Building(
      floors: known.map { floor in
        let name = floor.name
        let outline = drawn[name].flatMap { $0.outline.isEmpty ? nil : $0.outline }
        var floor = Building.Floor(
          name: name, level: floor.level, outline: outline.map { Polygon(name: name, corners: $0) },
          closed: (site?.rooms ?? []).filter {
            !$0.isWalkable && ($0.floor == name || names.count == 1)
          }.map { Polygon(name: $0.name, corners: $0.polygon) })
        floor.spots = (site?.spots ?? []).filter { $0.floor == name || names.count == 1 }
          .map(\.place)
        return floor
      },
      connections: (site?.connections ?? []).map { connection in
        .init(
          ends: connection.ends.compactMap { end in
            names.firstIndex(of: end.floor).map { .init(floor: $0, place: end.place) }
          })
      })
  }

  /// Refuses truth without a floor in a building of several.
  ///
  /// - Parameter catalogue: the tables of a file, with the rows of the building's floors.
  func requireFloors(_ catalogue: Catalogue, path: String) throws(RSSIError) {
    guard let building, let point = catalogue.truth.first(where: { $0.floor == nil }) else {
      return
    }
    throw RSSIError(
      .badInput,
      "the truth of trace \"\(catalogue.traces[Int(point.trace)])\" has no floor, and the site has "
        + "\(building.floors.count): " + listed(building.floors.map(\.name), 8),
      in: path, advice: "add a column floor to the table of `truth`")
  }

  /// Returns the tables of a file whose rows of floors are those of the building.
  func onFloors(_ file: Catalogue) -> Catalogue {
    guard let building else { return file }
    let row = rows(of: file)
    var catalogue = file
    for index in catalogue.truth.indices {
      catalogue.truth[index].floor = row(catalogue.floor(of: catalogue.truth[index]))
    }
    for index in catalogue.beacons.indices {
      catalogue.beacons[index].floor = row(catalogue.beacons[index].floor)
    }
    for index in catalogue.receivers.indices {
      catalogue.receivers[index].floor = row(catalogue.receivers[index].floor)
    }
    catalogue.floors = building.floors.map { Floor(name: $0.name) }
    return catalogue
  }

  /// Returns a function from the floors of a file to those of the building, `nil` if unknown.
  func rows(of file: Catalogue) -> (UInt16?) -> UInt16? {
    let floors = building?.floors ?? []
    let rows = file.floors.map { floor in
      floors.firstIndex { $0.name == floor.name }.map { UInt16($0) }
    }
    let only: UInt16? = floors.count == 1 ? 0 : nil
    return { floor in
      floor.flatMap { rows.indices.contains(Int($0)) ? rows[Int($0)] : nil } ?? only
    }
  }

  /// Returns the tables of a trace, with the identities sent from addresses of the site's anchors.
  func heard(in reader: TraceReader) throws -> Catalogue {
    try site?.heard(in: reader) ?? reader.catalogue
  }

  /// Refuses anchors that are not in metres, and a site that seems to be drawn in centimetres.
  ///
  /// If bounds are requested, the site is not refused: the caller knows its size.
  ///
  /// - Returns: a note for the user about anchors that are unusually far apart; nil for others.
  @discardableResult
  package func requireMetres(anchors: [Node]) throws(RSSIError) -> String? {
    let places = anchors.compactMap(\.place)
    let doubt = PlaceScale.doubt(anchors: places)
    if let doubt, doubt.isCertain {
      throw RSSIError(.badInput, doubt.problem, advice: doubt.advice)
    }
    guard let site, requestedBounds == nil, site.looksLikeCentimetres(anchors: places) else {
      return doubt?.words
    }
    throw RSSIError(
      .badInput,
      "\(path) looks as if it were in centimetres: its rooms and walls span \(Int(site.extent)) m; "
        + "write metres, or give `bounds` if that is its size")
  }

  /// A note about a site with walls that is too large for small cells; nil for others.
  package var coarseness: String? {
    guard let area = bounds, site != nil, let cell = surroundings.coarseCell else { return nil }
    let (width, depth) = (area.maximum.x - area.minimum.x, area.maximum.y - area.minimum.y)
    return
      "the site is \(Int(width)) m by \(Int(depth)) m: grid-filter and grid-smoother use cells of "
      + "\(decimal(cell, 1)) m, which are too large to represent walls; check the site's "
      + "coordinates, or limit the search with `bounds`"
  }
}

extension SitePlan {
  /// Returns the content of a floor plan.
  ///
  /// - Parameters:
  ///   - names: the names of the anchors.
  ///   - showsFloor: true to read and show the picture of the floor.
  /// - Throws: `RSSIError` for a picture that cannot be used.
  package func reported(
    anchors: [Node], _ names: BeaconNames, showsFloor: Bool
  ) throws -> ReportedSite {
    func content(
      of anchors: [Node], floor: String? = nil, image: Site.Floor?
    ) throws -> ReportedSite {
      func isShown(_ its: String?) -> Bool { floor == nil || its == floor }
      return ReportedSite(
        anchors: anchors.filter(\.isAnchor).map {
          .init(
            name: names.title(of: $0),
            place: Point(x: $0.x, y: $0.y),
            height: $0.z.isFinite ? $0.z : nil)
        },
        walls: (site?.walls ?? []).filter { isShown($0.floor) }
          .map { .init(kind: $0.kind, points: $0.points) },
        rooms: (site?.rooms ?? []).filter { $0.isWalkable && isShown($0.floor) }
          .map { Polygon(name: $0.name, corners: $0.polygon) },
        spots: (site?.spots ?? []).filter { isShown($0.floor) }
          .map { .init(name: $0.name, place: $0.place) },
        bounds: floor == nil ? bounds : nil,
        floor: try showsFloor ? image.flatMap { try .init($0) } : nil)
    }
    guard let building, building.floors.count > 1 else {
      return try content(of: anchors, image: site?.floors.first)
    }
    var reported = try content(of: anchors, image: nil)
    // Zones are of one plane.
    (reported.rooms, reported.walls) = ([], [])
    reported.floors = building.floors.map(\.name)
    reported.storeys = try building.floors.enumerated().map { index, floor in
      let drawn = site?.floors.first { $0.name == floor.name }
      var storey = try content(
        of: anchors.filter { $0.floor.map(Int.init) == index }, floor: floor.name, image: drawn)
      if let outline = floor.outline {
        storey.rooms.insert(Polygon(name: "", corners: outline.corners), at: 0)
      }
      let known = floors[index]
      return ReportedSite.Storey(
        storey,
        shift: drawn?.shift
          ?? (known.shiftX.isFinite ? Point(x: known.shiftX, y: known.shiftY) : nil))
    }
    return reported
  }
}

extension BeaconNames {
  /// Returns the name of a node in reports: that of the registry, its own, or its identity.
  func title(of node: Node) -> String { self[node.id] ?? (node.name.isEmpty ? node.id : node.name) }
}

extension ReportedSite.Floor {
  /// Creates the picture of a floor, or `nil` if it has none.
  fileprivate init?(_ floor: Site.Floor) throws {
    guard let image = floor.image else { return nil }
    let picture = try FloorPicture(image)
    self.init(
      name: floor.name, uri: "data:\(picture.kind.rawValue);base64,\(base64(picture.bytes))",
      width: picture.width, height: picture.height,
      x: .init(origin: picture.origin.x, u: picture.right.x, v: picture.down.x),
      y: .init(origin: picture.origin.y, u: picture.right.y, v: picture.down.y))
  }
}

extension Catalogue {
  /// A Boolean value that is true if a node has a known place.
  fileprivate var hasAnchors: Bool { (beacons + receivers).contains(where: \.isAnchor) }
}
