import NumericalMethods
import RealModule

/// The breakpoint with the least sum of squares over a grid, and profile likelihood intervals.
///
/// Two exponents that meet at the breakpoint (Bacon and Watts 1971; the "dual slope" of ITU-R
/// P.1411). The profile uses the means of positions with equal weights, because the thousand
/// packets of a position are one observation of the curve: sums of squares over packets would find
/// a bend in every recording. The interval of a constant contains all values for which the least
/// sum of squares is not significantly worse, F(1, positions − 4) (Seber and Wild, "Nonlinear
/// regression", 1989, section 5.3 and 9.4). With a weak bend, exponents are not linear in the
/// levels, and intervals from their standard errors alone are too narrow.
struct TwoSlopeProfile {
  /// The breakpoint, in metres.
  let breakpoint: Double
  private let interval: Interval
  private let bicDifference: Double
  /// The intervals of the measured power in dBm and of both exponents.
  private let power, nearExponent, farExponent: Interval
  private(set) var diagnostics: [Diagnostic] = []

  /// The number of positions that each slope requires.
  static let positionsASide = 5
  private static let gridPoints = 200

  init(_ stations: [Station]) throws(NotFitted) {
    let means = PositionReduction.mean.reduce(stations).map {
      Mean(x: logDistance($0.distance), level: $0.meanLevel)
    }
    let x = means.map(\.x)
    // x decreases with distance, so the near side has the large values.
    let sorted = x.sorted()
    let side = Self.positionsASide
    guard sorted.count >= 2 * side, sorted[sorted.count - side] > sorted[side - 1] else {
      throw Self.tooFew(x)
    }
    let low = sorted[side - 1]
    let high = sorted[sorted.count - side]
    let centre = x.reduce(0, +) / Double(x.count)
    var grid: [(x: Double, fit: Fit)] = []
    for step in 0...Self.gridPoints {
      let bend = low + (high - low) * Double(step) / Double(Self.gridPoints)
      let near = x.count { $0 >= bend }
      let far = x.count { $0 <= bend }
      guard near >= side, far >= side, Self.hasSlopes(x, at: bend),
        let fit = Fit(means, columns: { [$0 - centre, min(0, $0 - bend)] })
      else { continue }
      grid.append((bend, fit))
    }
    guard !grid.isEmpty else { throw Self.tooFew(x) }
    guard let best = grid.min(by: { $0.fit.squares < $1.fit.squares }),
      let straight = Fit(means, columns: { [$0 - centre] })?.squares
    else { throw .undetermined }
    let count = Double(means.count)
    // Levels that are collinear except for rounding have no second slope.
    let level = means.reduce(0) { $0 + $1.level * $1.level }
    guard straight > 1e-20 * level else {
      throw .reason("the levels are on one line: use the model log-distance")
    }
    let freedom = max(count - 4, 1)
    let ratio = FDistribution(numerator: 1, denominator: freedom).quantile(0.95)
    let limit = best.fit.squares * (1 + ratio / freedom)
    let inside = grid.filter { $0.fit.squares <= limit }
    // A breakpoint and a slope are two more parameters.
    bicDifference =
      count * Double.log(max(straight, .leastNormalMagnitude))
      - count * Double.log(max(best.fit.squares, .leastNormalMagnitude)) - 2 * Double.log(count)
    breakpoint = Double.exp10(-best.x / 10)
    // An interval that reaches an end of the grid reaches the last position on that side.
    let isOpenFar = inside.contains { $0.x == grid.first?.x }
    let isOpenNear = inside.contains { $0.x == grid.last?.x }
    let nearest = isOpenNear ? sorted.last : inside.map(\.x).max()
    let farthest = isOpenFar ? sorted.first : inside.map(\.x).min()
    interval = Interval(
      lower: Double.exp10(-(nearest ?? best.x) / 10),
      upper: Double.exp10(-(farthest ?? best.x) / 10))
    /// Returns the interval of a combination of the coefficients over all breakpoints.
    func profile(_ combination: [Double]) -> Interval {
      let parts = inside.map { $0.fit.interval(of: combination, below: limit) }
      return Interval(
        lower: parts.map(\.lower).min() ?? -.infinity,
        upper: parts.map(\.upper).max() ?? .infinity)
    }
    power = profile([1, -centre, 0])
    nearExponent = profile([0, 1, 0])
    farExponent = profile([0, 1, 1])
    if isOpenNear || isOpenFar {
      diagnostics.append(
        Diagnostic(
          "breakpoint-open",
          "the interval of the breakpoint reaches to where too few positions are left: it may lie "
            + "beyond"
        ))
    }
    if bicDifference <= 0 {
      diagnostics.append(
        Diagnostic(
          "one-slope-suffices",
          "no evidence of a second slope (BIC \(shown(-bicDifference, 1)) in favour of one): "
            + "use the model log-distance",
          value: bicDifference))
    }
  }

  /// Returns the part of the bend in a group.
  func slopes(farExponent: Double) -> TwoSlope {
    TwoSlope(
      breakpoint: breakpoint, breakpointInterval: interval, farExponent: farExponent,
      bicDifference: bicDifference)
  }

  /// Widens the intervals of a group to contain those of the profile, which do not assume that the
  /// levels are linear in the constants.
  func widen(_ group: inout PathLossGroup) {
    group.powerInterval = group.powerInterval.map { Self.hull($0, power) }
    group.exponentInterval = group.exponentInterval.map { Self.hull($0, nearExponent) }
    if let interval = group.twoSlope?.farExponentInterval {
      group.twoSlope?.farExponentInterval = Self.hull(interval, farExponent)
    }
  }

  private static func hull(_ a: Interval, _ b: Interval) -> Interval {
    Interval(lower: min(a.lower, b.lower), upper: max(a.upper, b.upper))
  }

  /// Returns a Boolean value that is true if each side of a bend has two distances; through one
  /// alone pass lines of any slope, each with its own breakpoint.
  private static func hasSlopes(_ x: [Double], at bend: Double) -> Bool {
    Set(x.filter { $0 > bend }).count > 1 && Set(x.filter { $0 < bend }).count > 1
  }

  private static func tooFew(_ x: [Double]) -> NotFitted {
    .reason(
      "two slopes need at least \(positionsASide) positions nearer and \(positionsASide) farther "
        + "than the breakpoint, at two distances or more on each side; there are \(x.count) at "
        + "\(Set(x).count) distances")
  }

  /// The mean level of a position, at its mean log distance.
  private struct Mean {
    var x: Double
    var level: Double
  }

  /// A least-squares fit of the means, with an intercept before the columns.
  private struct Fit {
    var squares: Double
    private var solution: [Double]
    private var inverse: Matrix

    /// - Returns: `nil` if the means do not determine the coefficients.
    init?(_ means: [Mean], columns: (Double) -> [Double]) {
      let rows = means.map { [1] + columns($0.x) }
      let parameters = rows[0].count
      var information = Matrix(zeros: parameters, parameters)
      for row in rows { information.addOuter(row) }
      guard rows.count > parameters, let inverse = information.positiveInverse,
        let solution = WeightedFit(rows: rows.count, columns: parameters).solve(
          design: rows.flatMap(\.self), weights: rows.map { _ in 1 }, targets: means.map(\.level))
      else { return nil }
      (self.solution, self.inverse) = (solution, inverse)
      squares = zip(rows, means).reduce(0) { sum, pair in
        let residual = pair.1.level - dot(pair.0, solution)
        return sum + residual * residual
      }
    }

    /// Returns the values of a combination of the coefficients with a sum of squares of at most a
    /// limit, which is at least `squares`.
    func interval(of combination: [Double], below limit: Double) -> Interval {
      let value = dot(combination, solution)
      let half = (max(limit - squares, 0) * inverse.form(combination)).squareRoot()
      return Interval(lower: value - half, upper: value + half)
    }
  }
}
