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

  package init(
    _ site: Site?, path: String = "the site", bounds: Bounds? = nil,
    dimensions: Surroundings.Dimensions = .plane
  ) {
    self.site = site
    self.path = path
    requestedBounds = bounds
    self.dimensions = dimensions
    rooms = (site?.rooms ?? []).map { Polygon(name: $0.name, corners: $0.polygon) }
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
    known.rooms = rooms
    known.walls = walls
    known.spots = site?.spots.map(\.place) ?? []
    return known
  }

  /// Returns the tables of a file with the places of anchors that the file does not have.
  package func placing(_ catalogue: Catalogue) throws -> Catalogue {
    try site?.placing(catalogue) ?? catalogue
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
    ReportedSite(
      anchors: anchors.map {
        .init(
          name: names[$0.id] ?? ($0.name.isEmpty ? $0.id : $0.name),
          place: Point(x: $0.x, y: $0.y),
          height: $0.z.isFinite ? $0.z : nil)
      },
      walls: site?.walls.map { .init(kind: $0.kind, points: $0.points) } ?? [], rooms: rooms,
      spots: site?.spots.map { .init(name: $0.name, place: $0.place) } ?? [], bounds: bounds,
      floor: try showsFloor ? site?.floors.first.flatMap { try .init($0) } : nil)
  }
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
