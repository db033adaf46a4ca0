internal import NumericalMethods
import RealModule

/// Residuals of mean levels about AltBeacon's curve, and their derivatives.
///
/// Parameters: α and β of log(level / t) = α + β log(d − C), and γ = log(nearest − C).
struct AltBeaconProblem {
  private let means: [StationMean]
  private let roots: [Double]
  private let power: Double
  private let nearest: Double
  private let farthest: Double

  init(_ means: [StationMean], measuredPower: Double) {
    self.means = means
    roots = means.map { $0.count.squareRoot() }
    power = measuredPower
    nearest = means.map(\.distance).min() ?? 0
    farthest = means.map(\.distance).max() ?? 0
  }

  /// The curve that parameters mean: β = 1 / B, α = −β log A.
  func curve(_ parameters: [Double]) -> AltBeaconCurve {
    AltBeaconCurve(
      a: .exp(-parameters[0] / parameters[1]), b: 1 / parameters[1],
      c: nearest - .exp(parameters[2]), measuredPower: power)
  }

  /// The best of several C, each with the line of log(level / t) on log(d − C); nil where none of
  /// them falls with distance.
  var start: [Double]? {
    var best: (squares: Double, parameters: [Double])?
    for step in -8...8 {
      // nearest − C from 1e-3 to 1e3 times the distances' range.
      let gamma = Double.log(farthest - nearest) + Double(step) * Double.log(10) * 0.375
      guard let line = line(gamma), line[1] > 0 else { continue }
      let squares = residuals(line).reduce(0) { $0 + $1 * $1 }
      if squares.isFinite, squares < best?.squares ?? .infinity { best = (squares, line) }
    }
    return best?.parameters
  }

  private func line(_ gamma: Double) -> [Double]? {
    var (n, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for one in means {
      let log = logSpan(one, .exp(gamma))
      let level = Double.log(one.level / power)
      n += one.count
      x += one.count * log
      y += one.count * level
      xx += one.count * log * log
      xy += one.count * log * level
    }
    let slope = (xy - x * y / n) / (xx - x * x / n)
    return slope.isFinite ? [(y - slope * x) / n, slope, gamma] : nil
  }

  /// log(d − C).
  private func logSpan(_ one: StationMean, _ margin: Double) -> Double {
    .log(one.distance - nearest + margin)
  }

  /// By the root of the weight, as every sum of squares needs them.
  func residuals(_ parameters: [Double]) -> [Double] {
    let margin = Double.exp(parameters[2])
    return zip(means, roots).map { one, root in
      root * (power * .exp(parameters[0] + parameters[1] * logSpan(one, margin)) - one.level)
    }
  }

  func jacobian(_ parameters: [Double]) -> [Double] {
    let margin = Double.exp(parameters[2])
    return zip(means, roots).flatMap { one, root -> [Double] in
      let log = logSpan(one, margin)
      let level = root * power * .exp(parameters[0] + parameters[1] * log)
      return [level, level * log, level * parameters[1] * margin / .exp(log)]
    }
  }

  /// The covariance of A, B and C; nil where positions are no more than parameters.
  func covariance(_ parameters: [Double]) -> [[Double]]? {
    let residuals = residuals(parameters)
    let jacobian = jacobian(parameters)
    var numbers: [Int: Int] = [:]
    var positions: [PositionInformation] = []
    for (row, one) in means.enumerated() {
      let number = numbers[one.position] ?? positions.count
      if number == positions.count {
        numbers[one.position] = number
        positions.append(PositionInformation(information: Matrix(zeros: 3, 3), score: [0, 0, 0]))
      }
      let derivatives = Array(jacobian[3 * row..<3 * row + 3])
      positions[number].information =
        positions[number].information + Matrix.outer(derivatives, derivatives)
      for index in 0..<3 { positions[number].score[index] -= derivatives[index] * residuals[row] }
    }
    guard positions.count > 3,
      let own = ClusteredCovariance(positions, ratio: 0, sharesInAdjustment: true)?.covariance
    else { return nil }
    // Derivatives of A, B and C.
    let (alpha, beta) = (parameters[0], parameters[1])
    let a = Double.exp(-alpha / beta)
    let change = Matrix(
      rows: 3, columns: 3,
      [
        -a / beta, a * alpha / (beta * beta), 0,
        0, -1 / (beta * beta), 0,
        0, 0, -.exp(parameters[2]),
      ])
    let result = change * own * change.transposed
    let rows = (0..<3).map { row in (0..<3).map { result[row, $0] } }
    return rows.joined().allSatisfy(\.isFinite) ? rows : nil
  }
}
