import NumericalMethods
import RealModule

/// The breakpoint with the least sum of squares over a grid.
///
/// Two exponents that meet at the breakpoint (Bacon and Watts 1971; the "dual slope" of ITU-R
/// P.1411). The profile uses the means of positions with equal weights, because the thousand
/// packets of a position are one observation of the curve: sums of squares over packets would find
/// a bend in every recording. The interval of the breakpoint contains all grid points whose sum of
/// squares is not significantly worse, F(1, positions − 4) (Seber and Wild, "Nonlinear regression",
/// 1989, section 9.4).
struct TwoSlopeProfile {
  /// The breakpoint, in metres.
  let breakpoint: Double
  private let interval: Interval
  private let bicDifference: Double
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
    var grid: [(x: Double, squares: Double)] = []
    for step in 0...Self.gridPoints {
      let bend = low + (high - low) * Double(step) / Double(Self.gridPoints)
      let near = x.count { $0 >= bend }
      let far = x.count { $0 <= bend }
      guard near >= side, far >= side, Self.hasSlopes(x, at: bend),
        let squares = Self.squares(means, columns: { [$0, min(0, $0 - bend)] })
      else { continue }
      grid.append((bend, squares))
    }
    guard !grid.isEmpty else { throw Self.tooFew(x) }
    guard let best = grid.min(by: { $0.squares < $1.squares }),
      let straight = Self.squares(means, columns: { [$0] })
    else { throw .undetermined }
    let count = Double(means.count)
    // Levels that are collinear except for rounding have no second slope.
    let level = means.reduce(0) { $0 + $1.level * $1.level }
    guard straight > 1e-20 * level else {
      throw .reason("the levels are on one line: use the model log-distance")
    }
    let freedom = max(count - 4, 1)
    let ratio = FDistribution(numerator: 1, denominator: freedom).quantile(0.95)
    let limit = best.squares * (1 + ratio / freedom)
    let inside = grid.filter { $0.squares <= limit }.map(\.x)
    // A breakpoint and a slope are two more parameters.
    bicDifference =
      count * Double.log(max(straight, .leastNormalMagnitude))
      - count * Double.log(max(best.squares, .leastNormalMagnitude)) - 2 * Double.log(count)
    breakpoint = Double.exp10(-best.x / 10)
    interval = Interval(
      lower: Double.exp10(-(inside.max() ?? best.x) / 10),
      upper: Double.exp10(-(inside.min() ?? best.x) / 10))
    if inside.contains(where: { $0 == grid.first?.x })
      || inside.contains(where: { $0 == grid.last?.x })
    {
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

  private static func squares(_ means: [Mean], columns: (Double) -> [Double]) -> Double? {
    let rows = means.map { [1] + columns($0.x) }
    let parameters = rows[0].count
    guard rows.count > parameters,
      let solution = WeightedFit(rows: rows.count, columns: parameters).solve(
        design: rows.flatMap(\.self), weights: rows.map { _ in 1 }, targets: means.map(\.level))
    else { return nil }
    return zip(rows, means).reduce(0) { sum, pair in
      let residual = pair.1.level - dot(pair.0, solution)
      return sum + residual * residual
    }
  }
}
