import NumericalMethods
import RealModule

extension Residuals {
  /// The variance of the logarithm of what `components` sum up to, and the degrees of freedom that
  /// positions leave; nil where there are too few.
  ///
  /// The larger of two: Satterthwaite's for Gaussian levels, exact for unequal numbers of packets,
  /// and the jackknife that leaves out one position at a time (Efron and Stein 1981), which knows
  /// of heavy tails. Times 1.5, since few positions seldom show their tails: of 300
  /// simulations it raised coverage from 83 to 88 % with heavy tails, from 92 to 94 % with unequal
  /// packets and from 94 to 96 % with twenty equal positions. Heavy tails stay too short.
  /// Complexity: O(positions × parameters³).
  var logVariance: (variance: Double, freedom: Double)? {
    guard let components, let moments = PositionMoments(self) else { return nil }
    let freedom = Double(byPosition.count - observations.parameters)
    guard let gaussian = moments.gaussian(components), freedom > 0 else { return nil }
    return (1.5 * max(gaussian, moments.jackknife ?? 0), freedom)
  }
}

/// Sums from which the variance components without any one position follow.
private struct PositionMoments {
  /// Of one position, or of all.
  private struct Moments {
    var count: Double
    var squares: Double
    /// Squares of the position's mean, and its products with the mean row.
    var between: Double
    var products: [Double]
    var rows: Matrix
    /// The product of residuals and rows.
    var score: [Double]
    var information: Matrix
    /// Of the sum of rows with itself.
    var outer: Matrix
  }

  private let positions: [Moments]
  private let sums: [[Double]]
  private let size: Int
  private var all: Moments

  init?(_ residuals: Residuals) {
    let observations = residuals.observations
    size = observations.parameters
    let rows = observations.positionInformation(
      curvature: residuals.byStation.map(\.count), slope: residuals.byStation.map(\.sum))
    var all = Moments(
      count: 0, squares: 0, between: 0, products: [Double](repeating: 0, count: size),
      rows: Matrix(zeros: size, size), score: [Double](repeating: 0, count: size),
      information: Matrix(zeros: size, size), outer: Matrix(zeros: size, size))
    let empty = all
    var positions: [Moments] = []
    var sums: [[Double]] = []
    for (one, own) in zip(rows, residuals.byPosition) {
      guard own.count > 0 else { return nil }
      let sum = (0..<observations.parameters).map { one.information[$0, 0] }
      var moments = empty
      moments.count = own.count
      moments.squares = own.squares
      moments.between = own.sum * own.mean
      moments.products = sum.map { $0 * own.mean }
      moments.rows.addOuter(sum.map { $0 / own.count.squareRoot() })
      moments.score = one.score
      moments.information = one.information
      moments.outer.addOuter(sum)
      positions.append(moments)
      sums.append(sum)
      all.count += moments.count
      all.squares += moments.squares
      all.between += moments.between
      all.products = zip(all.products, moments.products).map { $0 + $1 }
      all.score = zip(all.score, moments.score).map { $0 + $1 }
      all.rows = all.rows + moments.rows
      all.information = all.information + moments.information
      all.outer = all.outer + moments.outer
    }
    self.positions = positions
    self.sums = sums
    self.all = all
  }

  /// Of Gaussian levels: the variance of the squares between positions is 2 tr((Q D)²), with
  /// Q = W − S M⁻¹ Sᵀ, S the sums of rows and D the variances of positions' means.
  func gaussian(_ components: (position: Double, packet: Double)) -> Double? {
    let total = components.position + components.packet
    guard total > 0, let inverse = all.information.positiveInverse else { return nil }
    var trace = 0.0
    var middle = Matrix(zeros: size, size)
    for (one, sum) in zip(positions, sums) {
      let variance = components.position + components.packet / one.count
      let weighted = one.count * variance
      trace += weighted * weighted - 2 * weighted * variance * inverse.form(sum)
      middle.addOuter(sum.map { $0 * variance.squareRoot() })
    }
    let product = inverse * middle
    let square = product * product
    trace += (0..<size).reduce(0) { $0 + square[$1, $1] }
    let left = all.count - self.trace(inverse * all.outer)
    guard left > 1e-9 * all.count else { return nil }
    let share = 1 - Double(positions.count - size) / left
    let free = all.count - Double(positions.count)
    let ofPackets = free > 0 ? share * share * 2 * components.packet * components.packet / free : 0
    return (2 * max(trace, 0) / (left * left) + ofPackets) / (total * total)
  }

  /// Of the logarithm of the sum of both components, by leaving out one position at a time; nil
  /// where the others do not determine it.
  var jackknife: Double? {
    let logarithms = positions.compactMap(logarithm)
    guard logarithms.count == positions.count else { return nil }
    let count = Double(logarithms.count)
    let mean = logarithms.reduce(0, +) / count
    return (count - 1) / count * logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// Without one position, whose score is what the estimates lose.
  private func logarithm(without one: Moments) -> Double? {
    let information = all.information - one.information
    guard let inverse = information.positiveInverse else { return nil }
    let change = inverse * one.score.map { -$0 }
    let count = all.count - one.count
    let others = Double(positions.count - 1)
    func left(_ whole: [Double], _ part: [Double]) -> Double {
      dot(change, zip(whole, part).map { $0 - $1 })
    }
    let squares =
      all.squares - one.squares - 2 * left(all.score, one.score) + information.form(change)
    let between =
      all.between - one.between - 2 * left(all.products, one.products)
      + (all.rows - one.rows).form(change)
    let free = count - others
    let shared = count - trace(inverse * (all.outer - one.outer))
    guard free > 0, shared > 1e-9 * count else { return nil }
    let packet = max(squares - between, 0) / free
    let position = max((between - (others - Double(size)) * packet) / shared, 0)
    return position + packet > 0 ? .log(position + packet) : nil
  }

  private func trace(_ matrix: Matrix) -> Double {
    (0..<size).reduce(0) { $0 + matrix[$1, $1] }
  }
}
