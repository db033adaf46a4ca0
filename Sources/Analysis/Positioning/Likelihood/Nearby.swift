import Geometry
import RealModule

/// What the levels of one epoch state at a glance: where to start, and how far out to look.
struct Nearby {
  /// The centroid of the anchors, weighted by the inverse squares of their slant ranges.
  let centroid: Point
  /// The nearest anchor's range in the plane, in metres; 0 where an unknown offset scales all
  /// ranges.
  let range: Double

  init(_ observations: [Observation], isOffset: Bool = false) {
    var nearest = Double.infinity
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for observation in observations {
      let squared = Double.exp(observation.logSquaredRange)
      let height = observation.heightDifference
      nearest = min(nearest, max(squared - height * height, 0))
      sum += 1 / squared
      x += observation.anchor.x / squared
      y += observation.anchor.y / squared
    }
    centroid = Point(x: x / sum, y: y / sum)
    range = isOffset || observations.isEmpty ? 0 : nearest.squareRoot()
  }
}
