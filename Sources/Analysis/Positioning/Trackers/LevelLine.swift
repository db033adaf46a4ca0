import Geometry
import NumericalMethods
import RealModule

/// An anchor's level as a linear function of the place: the best in the mean square over a Gaussian
/// belief.
///
/// Integrals use three Gauss–Hermite points per coordinate, exact for polynomials of the fifth
/// degree.
struct LevelLine {
  /// The level at the belief's mean, in dBm.
  let level: Double
  /// The slope, in dB/m; 0 for the height in the plane.
  let slope: SIMD3<Double>
  /// The variance of the curve about the line, in dB².
  let remainder: Double
  /// The standard deviation of the shadowing at the belief's mean, in dB.
  let deviation: Double

  /// - Parameters:
  ///   - mean: The place; its height is 0 in the plane.
  ///   - covariance: The covariance of the two or three coordinates.
  /// - Returns: `nil` if the covariance is not positive definite.
  init?(_ anchor: Int, _ links: MeasurementModel, mean: SIMD3<Double>, covariance: Matrix) {
    guard let root = Self.root(covariance) else { return nil }
    let nodes = root.count == 2 ? Self.planeNodes : Self.spaceNodes
    let levels = nodes.map { node in
      var place = mean
      for (axis, column) in root.enumerated() { place += node.shift[axis] * column }
      return links.level(anchor, at: Point(x: place.x, y: place.y), height: place.z)
    }
    deviation = levels[0].deviation
    var average = 0.0
    for (node, value) in zip(nodes, levels) { average += node.weight * value.level }
    // The covariances of the level with the standardised coordinates.
    var cross = SIMD3<Double>.zero
    var variance = 0.0
    for (node, value) in zip(nodes, levels) {
      let excess = value.level - average
      variance += node.weight * excess * excess
      cross += node.weight * excess * node.shift
    }
    level = average
    remainder = max(variance - (cross * cross).sum(), 0)
    var slope = SIMD3<Double>.zero
    for (axis, column) in root.enumerated().reversed() {
      slope[axis] = (cross[axis] - (column * slope).sum()) / column[axis]
    }
    self.slope = slope
  }

  /// A place in standard deviations from the mean, with its weight.
  private typealias Node = (shift: SIMD3<Double>, weight: Double)

  private static let planeNodes = nodes(axes: 2)
  private static let spaceNodes = nodes(axes: 3)

  /// Returns the points of all coordinates; the first one is the mean.
  private static func nodes(axes: Int) -> [Node] {
    let rule: [(shift: Double, weight: Double)] = [
      (0, 2.0 / 3), (3.0.squareRoot(), 1.0 / 6), (-3.0.squareRoot(), 1.0 / 6),
    ]
    var nodes: [Node] = [(.zero, 1)]
    for axis in 0..<axes {
      var next: [Node] = []
      for point in rule {
        for var node in nodes {
          node.shift[axis] = point.shift
          node.weight *= point.weight
          next.append(node)
        }
      }
      nodes = next
    }
    return nodes
  }

  /// Returns the columns of the lower triangular matrix L with L Lᵀ = matrix.
  private static func root(_ matrix: Matrix) -> [SIMD3<Double>]? {
    var columns: [SIMD3<Double>] = []
    for axis in 0..<matrix.rows {
      var column = SIMD3<Double>.zero
      for row in axis..<matrix.rows { column[row] = matrix[row, axis] }
      for earlier in columns { column -= earlier[axis] * earlier }
      for row in 0..<axis { column[row] = 0 }
      guard column[axis] > 0 else { return nil }
      columns.append(column / column[axis].squareRoot())
    }
    return columns
  }
}
