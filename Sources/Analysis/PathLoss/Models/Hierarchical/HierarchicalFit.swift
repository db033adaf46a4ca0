package import NumericalMethods
import RealModule

/// One measured power and one exponent for beacons, receivers and positions that differ at random.
///
/// level = P + n x + beacon offset + receiver offset + position offset + packet noise, with
/// x = −10 log10(distance in m), offsets independent and Gaussian about 0. Standard deviations
/// maximise the restricted likelihood (REML: Patterson and Thompson, 1971), P and n are generalised
/// least squares, offsets the best linear unbiased predictions. Intervals take Student's t with
/// Satterthwaite's degrees of freedom, which are few where there are few beacons or receivers.
/// Where each grouping has many levels but one, time is linear in rows.
package struct HierarchicalFit: Equatable, Sendable {
  /// A standard deviation, dB.
  package struct Deviation: Equatable, Sendable {
    /// 0 where the likelihood is largest at that boundary.
    package let value: Double
    /// 95 %, Gaussian in the logarithm, so rough where there are few levels; nil where `value` is
    /// 0, or the likelihood has no curvature to show.
    package let interval: Interval?
  }

  /// What the offsets are measured from.
  package static let gauge = """
    Beacon and receiver offsets have expectation zero, so P is the power at 1 m of the average \
    beacon at the average receiver; only the sum of P and the offsets is determined by the levels.
    """

  /// P: dBm at 1 m.
  package internal(set) var measuredPower: Double
  /// n.
  package internal(set) var exponent: Double
  /// The covariance of P and n: [[var P, cov], [cov, var n]].
  package internal(set) var covariance: [[Double]]
  /// Satterthwaite's, at least 1; nil where the likelihood has no curvature to show.
  package internal(set) var powerDegreesOfFreedom: Double?
  package internal(set) var exponentDegreesOfFreedom: Double?
  /// Of the level at any distance; nil where the likelihood has no curvature to show.
  private(set) var lineFreedom: LineFreedom?
  /// Of the level in the middle of the readings, which the offsets are measured from.
  private(set) var offsetFreedom: Double?
  /// 95 %, dBm; nil where there are no degrees of freedom.
  package internal(set) var powerInterval: Interval?
  /// 95 %.
  package internal(set) var exponentInterval: Interval?
  /// Of each random effect that the readings show.
  package internal(set) var deviations: [RandomEffect: Deviation]
  /// Of packets about their position's mean.
  package internal(set) var packetDeviation: Deviation
  /// The restricted log-likelihood, with all its constants.
  package internal(set) var logLikelihood: Double
  /// A Boolean value that is true if the search for the standard deviations ended at a maximum of
  /// the likelihood.
  package internal(set) var hasConverged: Bool
  /// By the input's index; empty where the beacons' offsets are left out.
  package internal(set) var beacons: [PredictedOffset]
  /// By the input's index; empty where the receivers' offsets are left out.
  package internal(set) var receivers: [PredictedOffset]
  /// Random effects left out, and why.
  package internal(set) var omissions: [RandomEffect.Omission]
  package internal(set) var packets: Double
  package internal(set) var positions: Int

  /// Fits.
  ///
  /// - Parameter sums: one or more a position, in any order.
  /// - Throws: `Refusal` where P, n and the noise cannot be stated.
  package init(_ sums: [PositionSums]) throws(Refusal) {
    try Self.check(sums)
    let (effects, omissions) = RandomEffect.select(for: sums)
    let line = CentredLine(sums)
    var model = MixedModel(
      rows: line.rows, levels: effects.map { sums.map($0.level) }, within: line.within)
    guard line.isNoisy else { throw .noNoise }
    let search = RatioSearch(&model, scale: line.ratio)
    guard search.ratios.allSatisfy({ $0 < 1e4 }) else { throw .noNoise }
    let degrees = model.count - 2
    let variance = model.variance(model.evaluate(search.ratios))
    let uncertainty = DeviationUncertainty(
      &model, at: search.ratios, variance: variance, origin: -line.x)
    let found = model.evaluate(search.ratios)

    exponent = line.slope + found.slope
    measuredPower = line.level + found.level - exponent * line.x
    let (level, both, slope) = found.covariance
    let cross = variance * (both - line.x * slope)
    let power = variance * (level - 2 * line.x * both + line.x * line.x * slope)
    covariance = [[power, cross], [cross, variance * slope]]
    powerDegreesOfFreedom = uncertainty?.degreesOfFreedom.power
    exponentDegreesOfFreedom = uncertainty?.degreesOfFreedom.exponent
    lineFreedom = uncertainty?.line
    offsetFreedom = lineFreedom?.degreesOfFreedom(at: line.x)
    powerInterval = interval(measuredPower, power, powerDegreesOfFreedom)
    exponentInterval = interval(exponent, variance * slope, exponentDegreesOfFreedom)
    let deviation = variance.squareRoot()
    packetDeviation = Deviation(deviation, logarithmError: uncertainty?.packetError)
    deviations = [:]
    for (index, effect) in effects.enumerated() {
      deviations[effect] = Deviation(
        search.ratios[index] * deviation, logarithmError: uncertainty?.error(ofEffect: index))
    }
    logLikelihood =
      -(degrees * (.log(2 * .pi * variance) + 1) + found.logDeterminants) / 2
    hasConverged = search.hasConverged && uncertainty != nil
    beacons = []
    receivers = []
    self.omissions = omissions
    packets = model.count
    positions = Set(sums.map(\.position)).count
    let offsets = effects.indices.map { index in
      PredictedOffset.all(
        of: index, &model, found, ratio: search.ratios[index], variance: variance,
        measuredPower: measuredPower, origin: -line.x)
    }
    for (effect, offsets) in zip(effects, offsets) {
      if effect == .beacon { beacons = offsets }
      if effect == .receiver { receivers = offsets }
    }
  }
}

extension HierarchicalFit.Deviation {
  init(_ value: Double, logarithmError: Double?) {
    self.value = value
    interval = logarithmError.map { error in
      let half = 1.959963984540054 * error
      return Interval(lower: value * .exp(-half), upper: value * .exp(half))
    }
  }
}

/// The 95 % interval of Student's t; nil where the degrees of freedom are not known.
func interval(_ centre: Double, _ variance: Double, _ degrees: Double?) -> Interval? {
  degrees.map { degrees in
    let half =
      StudentTDistribution(degreesOfFreedom: degrees).quantile(0.975) * variance.squareRoot()
    return Interval(lower: centre - half, upper: centre + half)
  }
}

extension HierarchicalFit {
  /// Why there is no fit.
  package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// Row's index: a count below 1, a negative index, or sums that no real numbers have.
    case unusableSums(Int)
    case tooFewPositions(Int)
    case oneDistance
    /// The levels at each position are all the same, or all lie on the line.
    case noNoise

    package var description: String {
      switch self {
      case .unusableSums(let row):
        "row \(row) of the sums is of no packets, of a negative index or not of real numbers: "
          + "leave it out"
      case .tooFewPositions(let count):
        "a hierarchical fit of \(count) position\(count == 1 ? "" : "s") leaves nothing to judge "
          + "its errors by: record at 3 or more"
      case .oneDistance:
        "one distance only: measured power and exponent cannot be separated; "
          + "record at several distances"
      case .noNoise:
        "the packets of each position have the same level: their noise cannot be estimated; "
          + "give one mean for each position"
      }
    }
  }

  static func check(_ sums: [PositionSums]) throws(Refusal) {
    if let row = sums.firstIndex(where: { !$0.isUsable }) { throw .unusableSums(row) }
    let positions = Set(sums.map(\.position)).count
    guard positions >= 3 else { throw .tooFewPositions(positions) }
    let nearest = sums.map { $0.x / $0.n }.max() ?? 0
    let farthest = sums.map { $0.x / $0.n }.min() ?? 0
    guard nearest - farthest > 1e-9 * max(1, abs(nearest)) else { throw .oneDistance }
  }
}

/// The rows of a hierarchical fit about their least-squares line: near 0, no digits are lost.
struct CentredLine {
  /// The mean of x over packets.
  let x: Double
  /// The line's level there and its slope.
  let level: Double
  let slope: Double
  /// Means about x and the line.
  let rows: [MixedModel.Row]
  /// Sums over packets about their rows' means, along the line.
  let within: (xx: Double, xy: Double, yy: Double)
  /// How far rows are from the line, in packet deviations, about; 1 where packets cannot know.
  let ratio: Double
  /// A Boolean value that is true if any packet is off the line.
  let isNoisy: Bool

  init(_ sums: [PositionSums]) {
    let count = sums.reduce(0) { $0 + $1.n }
    let centre = sums.reduce(0) { $0 + $1.x } / count
    let middle = sums.reduce(0) { $0 + $1.y } / count
    var within = (xx: 0.0, xy: 0.0, yy: 0.0)
    var (xx, xy) = (0.0, 0.0)
    var rows = sums.map { one in
      let (x, y) = (one.x / one.n, one.y / one.n)
      let own = (one.xx - one.x * x, one.xy - one.x * y, one.yy - one.y * y)
      // What rounding leaves of packets that are all alike is 0.
      let isSpread = own.0 > 1e-12 * one.xx
      within.xx += isSpread ? own.0 : 0
      within.xy += isSpread ? own.1 : 0
      within.yy += own.2 > 1e-12 * one.yy ? own.2 : 0
      xx += one.n * (x - centre) * (x - centre)
      xy += one.n * (x - centre) * (y - middle)
      return MixedModel.Row(n: one.n, x: x - centre, y: y - middle)
    }
    let slope = (xy + within.xy) / (xx + within.xx)
    for index in rows.indices { rows[index].y -= slope * rows[index].x }
    let rest = max(0, within.yy - 2 * slope * within.xy + slope * slope * within.xx)
    let between = rows.reduce(0) { $0 + $1.n * $1.y * $1.y }
    let spare = count - Double(rows.count)
    self.x = centre
    level = middle
    self.slope = slope
    self.rows = rows
    self.within = (within.xx, within.xy - slope * within.xx, rest)
    let ratio = rest > 0 && spare > 0 ? (between / count / (rest / spare)).squareRoot() : 1
    self.ratio = min(100, max(0.1, ratio))
    let scale = sums.reduce(0) { $0 + $1.yy } - count * middle * middle
    isNoisy = rest + between > 1e-18 * max(scale, count)
  }
}

/// The ratios of standard deviations at which the restricted likelihood is largest.
///
/// The criterion is an even function of each ratio, so the simplex may walk across 0: a boundary is
/// a minimum like another.
struct RatioSearch {
  var ratios: [Double]
  var hasConverged: Bool

  /// A ratio is 0 where that costs less than this of −2 log likelihood.
  private static let negligible = 1e-6

  /// - Parameter scale: about the size of the largest ratio.
  init(_ model: inout MixedModel, scale: Double) {
    let effects = model.effects
    ratios = Array(repeating: 0, count: effects)
    hasConverged = true
    guard effects > 0 else { return }
    // Every choice of large and small effects as a start: a look at each is cheaper than a search.
    var best = Double.infinity
    for choice in 0..<(1 << effects) {
      let start = (0..<effects).map { choice >> $0 & 1 == 1 ? scale : 0.1 * scale }
      let value = model.criterion(start)
      if value < best { (best, ratios) = (value, start) }
    }
    var free = Array(0..<effects)
    best = refine(&model, free, steps: ratios.map { 0.5 * $0 }, tolerance: 1e-2 * scale)
    best = refine(&model, free, steps: sides(scale), tolerance: 1e-5 * scale)
    for effect in (0..<effects).sorted(by: { ratios[$0] < ratios[$1] }) {
      var without = ratios
      without[effect] = 0
      guard model.criterion(without) <= best + Self.negligible else { continue }
      ratios = without
      free.removeAll { $0 == effect }
      best = model.criterion(ratios)
      guard !free.isEmpty else { break }
      best = refine(&model, free, steps: sides(scale), tolerance: 1e-5 * scale)
    }
    if free.isEmpty { hasConverged = true }
  }

  /// The first sides of a simplex that starts near the minimum.
  private func sides(_ scale: Double) -> [Double] { ratios.map { max(0.05 * $0, 0.01 * scale) } }

  private mutating func refine(
    _ model: inout MixedModel, _ free: [Int], steps: [Double], tolerance: Double
  ) -> Double {
    let fixed = ratios
    func full(_ part: [Double]) -> [Double] {
      var ratios = fixed
      for (effect, value) in zip(free, part) { ratios[effect] = abs(value) }
      return ratios
    }
    let found = SimplexMinimum(
      from: free.map { ratios[$0] }, steps: free.map { steps[$0] }, tolerance: tolerance
    ) { model.criterion(full($0)) }
    ratios = full(found.x)
    hasConverged = found.hasConverged
    return found.value
  }
}
