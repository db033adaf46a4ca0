import Geometry
import Positioning
import Sightings
import Sites
import Support
import TracePipelines

/// What a site file tells an evaluation.
struct EvalSite {
  let site: Site

  init(path: String) throws { site = try Site(path: path) }

  /// The tables of a file with the places of anchors that it does not know.
  func placing(_ catalogue: Catalogue) -> Catalogue { site.placing(catalogue) }

  /// Refuses a site that looks as if it were drawn in centimetres.
  ///
  /// - Parameter bounds: as given on the command line: a user who gives them knows the site's size.
  func requireMetres(_ path: String, anchors: [Node], bounds: Bounds?) throws {
    guard bounds == nil,
      site.looksLikeCentimetres(anchors: anchors.map { Point(x: $0.x, y: $0.y) })
    else { return }
    throw RSSIError(
      .badInput,
      "\(path) looks as if it were in centimetres: its rooms and walls span \(Int(site.extent)) m; "
        + "write metres, or give --bounds if that is its size"
    )
  }

  var rooms: [Polygon] { site.rooms.map { Polygon(name: $0.name, corners: $0.polygon) } }

  var walls: [Segment] {
    site.walls.flatMap { wall in
      zip(wall.points, wall.points.dropFirst()).map { Segment(from: $0, to: $1) }
    }
  }

  /// The rectangle around all that is drawn; nil where only anchors and spots are.
  var bounds: Bounds? {
    let outlines = site.walls.flatMap(\.points) + site.rooms.flatMap(\.polygon)
    guard !outlines.isEmpty else { return nil }
    return Bounds(around: outlines + site.anchors.map(\.place))
  }
}
