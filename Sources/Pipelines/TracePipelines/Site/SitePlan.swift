package import Geometry
package import Positioning
package import Sightings
package import Sites
package import Support
import TraceStore

/// The site file, and where and in how many dimensions positions are looked for.
package struct SitePlan: Sendable {
  package let dimensions: Surroundings.Dimensions
  /// The search area that was requested; nil = that of the site, or of the anchors.
  let requestedBounds: Bounds?
  /// Nil without a site file.
  package let site: Site?
  /// What messages call the site file.
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

  /// The search area: that which was requested, or the rectangle around all that the site file
  /// draws; nil where it draws no walls and rooms.
  package var bounds: Bounds? {
    if let requestedBounds { return requestedBounds }
    guard let site else { return nil }
    let outlines = site.walls.flatMap(\.points) + site.rooms.flatMap(\.polygon)
    guard !outlines.isEmpty else { return nil }
    return Bounds(around: outlines + site.anchors.map(\.place))
  }

  /// What every target knows.
  var surroundings: Surroundings {
    var known = Surroundings()
    known.dimensions = dimensions
    known.bounds = bounds
    known.rooms = rooms
    known.walls = walls
    known.spots = site?.spots.map(\.place) ?? []
    return known
  }

  /// The tables of a file with the places of anchors that the file does not have.
  package func placing(_ catalogue: Catalogue) throws -> Catalogue {
    try site?.placing(catalogue) ?? catalogue
  }

  /// The tables of a trace, with what was sent from addresses of the site's anchors.
  func heard(in reader: TraceReader) throws -> Catalogue {
    try site?.heard(in: reader) ?? reader.catalogue
  }

  /// Refuses anchors that are not in metres, and a site that looks as if it were drawn in
  /// centimetres.
  ///
  /// With requested bounds the site is not refused: the caller knows its size.
  ///
  /// - Returns: a sentence for a person about anchors that are unusually far apart; nil for others.
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

  /// A sentence about a site with walls that is too large for small cells; nil for others.
  package var coarseness: String? {
    guard let area = bounds, site != nil, let cell = surroundings.coarseCell else { return nil }
    let (width, depth) = (area.maximum.x - area.minimum.x, area.maximum.y - area.minimum.y)
    return
      "the site is \(Int(width)) m by \(Int(depth)) m: grid-filter and grid-smoother take cells of "
      + "\(decimal(cell, 1)) m there, through which walls are not seen; check the site's "
      + "coordinates, or limit the search with `bounds`"
  }
}
