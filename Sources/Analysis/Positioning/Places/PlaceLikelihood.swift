import Geometry
import NumericalMethods
import RealModule

/// The marginal likelihood of one beacon's levels at any place of the beacon.
///
/// Given the place, a ``PlaceModel`` is linear in the power, the exponent and the pattern, which are
/// integrated out: y ~ N(X m, X V Xᵀ + K). K is factored once, and each place costs a system of four
/// equations (Rasmussen and Williams, "Gaussian processes for machine learning", 2006, section 2.7).
/// O(n³) to create and O(n²) per place, for n levels.
struct PlaceLikelihood: Sendable {
  private let model: PlaceModel
  private let levels: [SurveyedLevel]
  /// Twice K⁻¹ below the diagonal and K⁻¹ on it, row by row, without the elements above it.
  private let inverse: [Double]
  /// K⁻¹ times ones, and times the levels less the mean power.
  private let ones: [Double]
  private let residuals: [Double]
  /// The products of ones and residuals by K⁻¹, and the part of the logarithm that no place changes.
  private let products: (ones: Double, cross: Double, residuals: Double)
  private let constant: Double

  /// - Returns: nil where the covariance matrix is singular.
  init?(_ levels: [SurveyedLevel], _ model: PlaceModel) {
    let count = levels.count
    guard count > 0 else { return nil }
    let matrix = levels.covariance(model.variation) {
      model.variation.covariance(levels[$0].stretch, levels[$1].stretch).value
    }
    guard let factor = CholeskyFactor(matrix, size: count) else { return nil }
    let full = factor.inverse
    inverse = (0..<count).flatMap { row in
      (0...row).map { ($0 < row ? 2 : 1) * full[row * count + $0] }
    }
    let errors = levels.map { $0.residual - model.power.mean }
    let (ones, residuals) = (
      factor.solve([Double](repeating: 1, count: count)), factor.solve(errors)
    )
    products = (ones.reduce(0, +), residuals.reduce(0, +), dot(residuals, errors))
    (self.ones, self.residuals) = (ones, residuals)
    constant =
      -0.5 * factor.logDeterminant - 0.5 * Double(count) * Double.log(2 * Double.pi)
      - Self.priorDeviations(model).reduce(0) { $0 + Double.log($1) }
    (self.levels, self.model) = (levels, model)
  }

  /// The prior standard deviations of the power, the exponent and both components of the pattern.
  private static func priorDeviations(_ model: PlaceModel) -> [Double] {
    [model.power.deviation, model.exponent.deviation, model.pattern, model.pattern]
  }

  /// The posterior of the power and the exponent for one place of the beacon.
  struct Coefficients {
    /// The logarithm of the marginal likelihood.
    var logLikelihood: Double
    var power: Double
    var powerVariance: Double
    var exponent: Double
    var exponentVariance: Double
  }

  /// The results at eight places.
  private struct Block {
    var value = SIMD8<Double>.zero
    /// The posterior means of the deviations from the prior means, and their covariance, whose
    /// first two are those of the power and of the exponent.
    var mean = [SIMD8<Double>](repeating: .zero, count: 4)
    var covariance = [SIMD8<Double>](repeating: .zero, count: 16)
  }

  /// Returns the logarithm of the marginal likelihood with the beacon at each place.
  func logLikelihood(at places: [Point]) -> [Double] {
    stride(from: 0, to: places.count, by: 8).flatMap { first in
      let block = block(places[first..<min(first + 8, places.count)])
      return (0..<min(8, places.count - first)).map { block.value[$0] }
    }
  }

  /// Returns the posterior of power and exponent with the beacon at each place.
  func coefficients(at places: [Point]) -> [Coefficients] {
    stride(from: 0, to: places.count, by: 8).flatMap { first in
      let block = block(places[first..<min(first + 8, places.count)])
      return (0..<min(8, places.count - first)).map { lane in
        Coefficients(
          logLikelihood: block.value[lane],
          power: model.power.mean + block.mean[0][lane], powerVariance: block.covariance[0][lane],
          exponent: model.exponent.mean + block.mean[1][lane],
          exponentVariance: block.covariance[5][lane])
      }
    }
  }

  /// Returns the results at up to eight places; further lanes repeat the last one.
  private func block(_ places: ArraySlice<Point>) -> Block {
    let (x, y) = (lanes(places, \.x), lanes(places, \.y))
    // The regressors of the exponent and of both components of the pattern at each level.
    var (loss, east, north) = (
      [SIMD8<Double>](repeating: .zero, count: levels.count),
      [SIMD8<Double>](repeating: .zero, count: levels.count),
      [SIMD8<Double>](repeating: .zero, count: levels.count)
    )
    for (row, level) in levels.enumerated() {
      level.stretch.forEachNode { node, share in
        let (dx, dy) = (node.x - x, node.y - y)
        let square = dx * dx + dy * dy + model.height * model.height
        let inverse = share / square.squareRoot()
        // Five significant digits more than a level has.
        loss[row] -= share * Self.decibels * SIMD8<Double>(SIMD8<Float>(square).logarithm)
        east[row] += dx * inverse
        north[row] += dy * inverse
      }
    }
    return solved(loss, east, north)
  }

  /// The decibels by which a level falls per natural logarithm of a squared distance, for n = 1.
  private static let decibels = 5 / Double.log(10)

  private func lanes(_ places: ArraySlice<Point>, _ path: KeyPath<Point, Double>) -> SIMD8<Double> {
    var values = SIMD8(repeating: places.last?[keyPath: path] ?? 0)
    for (lane, place) in places.enumerated() { values[lane] = place[keyPath: path] }
    return values
  }

  private func solved(
    _ loss: [SIMD8<Double>], _ east: [SIMD8<Double>], _ north: [SIMD8<Double>]
  ) -> Block {
    typealias Lanes = SIMD8<Double>
    // Xᵀ K⁻¹ X + V⁻¹ and Xᵀ K⁻¹ (y - X m), for the columns 1, loss, east and north.
    var matrix = [Lanes](repeating: .zero, count: 16)
    var right = [Lanes](repeating: .zero, count: 4)
    var (ll, le, ln, ee, en, nn) = (
      Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero
    )
    var first = 0
    for row in levels.indices {
      var (a, b, c) = (Lanes.zero, Lanes.zero, Lanes.zero)
      for column in 0...row {
        let element = inverse[first + column]
        a += element * loss[column]
        b += element * east[column]
        c += element * north[column]
      }
      first += row + 1
      ll += a * loss[row]
      le += a * east[row] + b * loss[row]
      ln += a * north[row] + c * loss[row]
      ee += b * east[row]
      en += b * north[row] + c * east[row]
      nn += c * north[row]
      let (one, rest) = (ones[row], residuals[row])
      matrix[1] += one * loss[row]
      matrix[2] += one * east[row]
      matrix[3] += one * north[row]
      right[1] += rest * loss[row]
      right[2] += rest * east[row]
      right[3] += rest * north[row]
    }
    let exponent = model.exponent.mean
    let cross = [matrix[1], ll, 0.5 * le, 0.5 * ln]
    matrix[0] = Lanes(repeating: products.ones)
    right[0] = Lanes(repeating: products.cross)
    (matrix[5], matrix[6], matrix[7]) = (ll, 0.5 * le, 0.5 * ln)
    (matrix[10], matrix[11], matrix[15]) = (ee, 0.5 * en, nn)
    let rest =
      products.residuals - 2 * exponent * right[1] + exponent * exponent * ll
    for index in 0..<4 { right[index] -= exponent * cross[index] }
    for (index, deviation) in Self.priorDeviations(model).enumerated() {
      matrix[5 * index] += 1 / (deviation * deviation)
    }
    return inverted(matrix, right, rest)
  }

  /// Solves the four equations by a Cholesky factor in each lane; only the upper triangle is read.
  private func inverted(
    _ matrix: [SIMD8<Double>], _ right: [SIMD8<Double>], _ rest: SIMD8<Double>
  ) -> Block {
    var block = Block()
    // The inverse by Gauss–Jordan elimination without pivots, as the matrix is positive definite.
    var (m, inverse) = (matrix, block.covariance)
    for row in 0..<4 { for column in 0..<row { m[4 * row + column] = m[4 * column + row] } }
    for index in 0..<4 { inverse[5 * index] = SIMD8(repeating: 1) }
    var logDeterminant = SIMD8<Double>.zero
    for pivot in 0..<4 {
      let value = m[5 * pivot]
      for lane in 0..<8 { logDeterminant[lane] += Double.log(value[lane]) }
      for column in 0..<4 {
        m[4 * pivot + column] /= value
        inverse[4 * pivot + column] /= value
      }
      for row in 0..<4 where row != pivot {
        let factor = m[4 * row + pivot]
        for column in 0..<4 {
          m[4 * row + column] -= factor * m[4 * pivot + column]
          inverse[4 * row + column] -= factor * inverse[4 * pivot + column]
        }
      }
    }
    var explained = SIMD8<Double>.zero
    for row in 0..<4 {
      for column in 0..<4 { block.mean[row] += inverse[4 * row + column] * right[column] }
      explained += block.mean[row] * right[row]
    }
    block.covariance = inverse
    block.value = constant - 0.5 * (rest - explained) - 0.5 * logDeterminant
    return block
  }
}
