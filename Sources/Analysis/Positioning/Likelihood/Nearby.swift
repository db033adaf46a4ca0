import Geometry
import RealModule

/// A coarse estimate from the levels of one epoch: the start and the extent of the search.
struct Nearby {
  /// The centroid of the anchors, weighted by the inverse squares of their slant ranges.
  let centroid: Point
  /// The nearest anchor's range in the plane, in metres; 0 if an unknown offset scales all ranges.
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
