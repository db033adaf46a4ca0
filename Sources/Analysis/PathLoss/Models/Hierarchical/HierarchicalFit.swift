package import NumericalMethods
import RealModule

/// A mixed-effects fit: one measured power and one exponent, with random offsets of beacons,
/// receivers and positions, and of places and poses that several of them share.
///
/// level = P + n x + beacon offset + receiver offset + position offset (+ place offset + pose
/// offset) + packet noise, with x = −10 log10(distance in m), offsets independent and Gaussian
/// about 0. Standard deviations maximise the
/// restricted likelihood (REML: Patterson and Thompson, 1971), but that of three or more devices is
/// never 0: see `RatioSearch.leaveBoundary`. P and n are generalised least squares, offsets the
/// best linear unbiased predictions. Intervals use Student's t with Satterthwaite's degrees of
/// freedom, which are few with few beacons or receivers. If at most one grouping has many levels,
/// time is linear in rows.
package struct HierarchicalFit: Equatable, Sendable {
  /// A standard deviation, in dB.
  package struct Deviation: Equatable, Sendable {
    /// The value; 0 if the likelihood is largest at that boundary, for positions and two devices.
    package let value: Double
    /// The 95 % interval, Gaussian in the logarithm, so approximate with few levels; `nil` if
    /// `value` is 0 or the likelihood has no curvature.
    package let interval: Interval?
  }

  /// The reference of the offsets.
  package static let gauge = """
    Beacon and receiver offsets have expectation zero, so P is the power at 1 m of the average \
    beacon at the average receiver; only the sum of P and the offsets is determined by the levels.
    """

  /// The measured power P, in dBm at 1 m.
  package internal(set) var measuredPower: Double
  /// The exponent n.
  package internal(set) var exponent: Double
  /// The covariance of P and n: [[var P, cov], [cov, var n]].
  package internal(set) var covariance: [[Double]]
  /// Satterthwaite's degrees of freedom of P, at least 1; `nil` if the likelihood has no curvature.
  package internal(set) var powerDegreesOfFreedom: Double?
  package internal(set) var exponentDegreesOfFreedom: Double?
  /// The degrees of freedom of the level at any distance; `nil` if the likelihood has no curvature.
  private(set) var lineFreedom: LineFreedom?
  /// The degrees of freedom of the level at the centre of the readings, the reference of the
  /// offsets.
  private(set) var offsetFreedom: Double?
  /// The 95 % interval of P in dBm; `nil` without degrees of freedom.
  package internal(set) var powerInterval: Interval?
  /// The 95 % interval of n.
  package internal(set) var exponentInterval: Interval?
  /// The standard deviation of each estimated random effect.
  package internal(set) var deviations: [RandomEffect: Deviation]
  /// The standard deviation of packets about their position's mean.
  package internal(set) var packetDeviation: Deviation
  /// The restricted log-likelihood, with all its constants.
  package internal(set) var logLikelihood: Double
  /// A Boolean value that is true if the search for the standard deviations ended at a maximum of
  /// the likelihood.
  package internal(set) var hasConverged: Bool
  /// The offsets of beacons by the input's index; empty if they are omitted.
  package internal(set) var beacons: [PredictedOffset]
  /// The offsets of receivers by the input's index; empty if they are omitted.
  package internal(set) var receivers: [PredictedOffset]
  /// The effects of beacons or receivers whose most likely standard deviation is 0.
  package internal(set) var unseen: [RandomEffect]
  /// The omitted random effects, with their reasons.
  package internal(set) var omissions: [RandomEffect.Omission]
  package internal(set) var packets: Double
  package internal(set) var positions: Int

  /// Fits the model.
  ///
  /// - Parameter sums: The sums, one or more per position, in any order.
  /// - Throws: `Refusal` if P, n and the noise cannot be estimated.
  package init(_ sums: [PositionSums]) throws(Refusal) {
    try Self.check(sums)
    let (effects, omissions) = RandomEffect.select(for: sums)
    let line = CentredLine(sums)
    var model = MixedModel(
      rows: line.rows, levels: effects.map { sums.compactMap($0.level) }, within: line.within)
    guard line.isNoisy else { throw .noNoise }
    var search = RatioSearch(&model, scale: line.ratio)
    // Of two devices any deviation would do, however large.
    let unseen = effects.indices.filter {
      [.beacon, .receiver].contains(effects[$0]) && search.ratios[$0] == 0
        && model.columnsOfLevels[$0].count > 2
    }
    search.leaveBoundary(&model, unseen, scale: line.ratio)
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
    powerDegreesOfFreedom = uncertainty?.degreesOfFreedom.level
    exponentDegreesOfFreedom = uncertainty?.degreesOfFreedom.slope
    lineFreedom = uncertainty?.line
    offsetFreedom = lineFreedom?.degreesOfFreedom(at: line.x)
    powerInterval = interval(measuredPower, power, powerDegreesOfFreedom)
    exponentInterval = interval(exponent, variance * slope, exponentDegreesOfFreedom)
    let deviation = variance.squareRoot()
    packetDeviation = Deviation(deviation, logarithmError: uncertainty?.residualError)
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
    self.unseen = unseen.map { effects[$0] }
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

/// Returns the 95 % interval of Student's t, or `nil` if the degrees of freedom are unknown.
func interval(_ centre: Double, _ variance: Double, _ degrees: Double?) -> Interval? {
  degrees.map { degrees in
    let half =
      StudentTDistribution(degreesOfFreedom: degrees).quantile(0.975) * variance.squareRoot()
    return Interval(lower: centre - half, upper: centre + half)
  }
}

extension HierarchicalFit {
  /// The reason why there is no fit.
  package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// Unusable sums, with their index: a count below 1, a negative index, or impossible values.
    case unusableSums(Int)
    case tooFewPositions(Int)
    case oneDistance
    /// The levels at each position are identical, or exactly on the line.
    case noNoise

    package var description: String {
      switch self {
      case .unusableSums(let row):
        "row \(row) of the sums: no packets, a negative index or impossible values: "
          + "exclude it"
      case .tooFewPositions(let count):
        "too few positions (\(count)) to estimate the errors of a hierarchical fit: "
          + "record at 3 or more"
      case .oneDistance:
        "one distance only: measured power and exponent cannot be separated; "
          + "record at several distances"
      case .noNoise:
        "the packets of each position have the same level, so their noise cannot be estimated: "
          + "use one mean per position"
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
  /// The line's level at x, and its slope.
  let level: Double
  let slope: Double
  /// The means about x and the line.
  let rows: [MixedModel.Row]
  /// The sums over packets about their rows' means, along the line.
  let within: (xx: Double, xy: Double, yy: Double)
  /// The approximate scatter of rows about the line, in units of the packets' deviation; 1 if
  /// packets do not vary.
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
      // Rounding residues of identical packets are set to 0.
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
