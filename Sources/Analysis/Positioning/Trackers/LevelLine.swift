import Geometry
import NumericalMethods

/// An anchor's level as a straight line of the place: the best in the mean square over a Gaussian
/// belief.
///
/// Integrals by three Gauss–Hermite points a coordinate, exact for polynomials of the fifth degree.
struct LevelLine {
  /// At the belief's mean, in dBm.
  private(set) var level = 0.0
  /// In dB/m.
  private(set) var slope: [Double]
  /// The variance in dB² of the curve about the line.
  private(set) var remainder = 0.0
  /// The standard deviation in dB of the shadowing, at the belief's mean.
  let deviation: Double

  /// - Returns: nil where the covariance is none.
  init?(_ anchor: Int, _ links: MeasurementModel, mean: [Double], covariance: Matrix) {
    let d = mean.count
    guard let root = Self.root(covariance) else { return nil }
    deviation =
      links.level(anchor, at: Point(x: mean[0], y: mean[1]), height: d == 3 ? mean[2] : 0).deviation
    var samples: [(shift: [Double], level: Double, weight: Double)] = []
    let nodes = [(0.0, 2.0 / 3), (3.0.squareRoot(), 1.0 / 6), (-3.0.squareRoot(), 1.0 / 6)]
    for number in 0..<(d == 2 ? 9 : 27) {
      let choice = [number % 3, number / 3 % 3, number / 9]
      var shift = [Double](repeating: 0, count: d)
      var weight = 1.0
      for axis in 0..<d {
        weight *= nodes[choice[axis]].1
        for i in axis..<d { shift[i] += root[i, axis] * nodes[choice[axis]].0 }
      }
      let place = zip(mean, shift).map { $0 + $1 }
      let level = links.level(
        anchor, at: Point(x: place[0], y: place[1]), height: d == 3 ? place[2] : 0
      ).level
      samples.append((shift, level, weight))
    }
    level = samples.reduce(0) { $0 + $1.weight * $1.level }
    var cross = [Double](repeating: 0, count: d)
    var variance = 0.0
    for sample in samples {
      let excess = sample.level - level
      variance += sample.weight * excess * excess
      for axis in 0..<d { cross[axis] += sample.weight * excess * sample.shift[axis] }
    }
    guard let factor = CholeskyFactor(covariance.elements, size: d) else { return nil }
    slope = factor.solve(cross)
    remainder = max(variance - dot(slope, cross), 0)
  }

  /// The triangle L with L Lᵀ the matrix.
  private static func root(_ matrix: Matrix) -> Matrix? {
    var root = Matrix(zeros: matrix.rows, matrix.rows)
    for i in 0..<matrix.rows {
      for j in 0...i {
        let rest = matrix[i, j] - (0..<j).reduce(0) { $0 + root[i, $1] * root[j, $1] }
        if i == j {
          guard rest > 0 else { return nil }
          root[i, i] = rest.squareRoot()
        } else {
          root[i, j] = rest / root[j, j]
        }
      }
    }
    return root
  }
}
