import Positioning
import Sightings
import Sites

/// What a site file tells an evaluation.
struct EvalSite {
  let site: Site
  private let anchors: FitSite

  init(path: String) throws {
    site = try Site(path: path)
    anchors = try FitSite(path: path)
  }

  /// The tables of a file with the places of anchors that it does not know.
  func placing(_ catalogue: Catalogue) -> Catalogue { anchors.placing(catalogue) }

  var rooms: [Zone] { site.rooms.map { Zone(name: $0.name, polygon: $0.polygon) } }

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
