package import NumericalMethods
import RealModule

/// The powers, receiver offsets, exponent and wall losses of anchors that hear each other.
///
/// The posterior is normal but for unheard links, whose factors Φ((s - f)/a) expectation propagation
/// replaces by normal ones (Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
/// section 3.6). The standard deviations of the model are those of the highest evidence.
package struct LinkCalibration: Sendable {
  /// An estimate with its standard deviation.
  package struct Value: Equatable, Sendable {
    package var mean: Double
    package var deviation: Double

    /// The interval that holds the value with 95 %.
    package var interval: Interval {
      Interval(lower: mean - 1.96 * deviation, upper: mean + 1.96 * deviation)
    }
  }

  package let deviations: AnchorLinks.Deviations
  /// The offset of each receiver, in dB.
  package let offsets: [Value]
  package let exponent: Value
  /// The loss by a wall of each kind, in dB.
  package let wallLosses: [Value]
  /// The levels of heard links, and normal stand-ins for unheard ones, with their own variances.
  let observed: Observed
  private let links: AnchorLinks
  /// The weights of the levels in the exponent.
  private let slope: [Double]
  /// The power at 1 m of each beacon at an average receiver, in dBm.
  package private(set) var powers: [Value] = []

  /// The largest number of anchors in the search for the deviations.
  private static let mostAnchors = 12

  /// - Parameter deviations: The standard deviations; nil to learn them.
  /// - Returns: nil for fewer than three heard links, or a singular covariance.
  package init?(_ links: AnchorLinks, deviations: AnchorLinks.Deviations? = nil) {
    guard links.links.count(where: { $0.level != nil }) >= 3 else { return nil }
    let deviations = deviations ?? Self.mostLikely(links.among(Self.mostAnchors))
    guard let observed = Observed(links, deviations) else { return nil }
    (self.deviations, self.observed, self.links) = (deviations, observed, links)
    let (means, variances) = links.columnPriors
    let coefficients = means.indices.map {
      observed.value(means[$0], variances[$0], links.covariance(ofCoefficient: $0))
    }
    (exponent, wallLosses) = (coefficients[0], Array(coefficients[1...]))
    slope = observed.factor.solve(links.covariance(ofCoefficient: 0))
    let offset = deviations.offset * deviations.offset
    offsets = links.receivers.indices.map { receiver in
      observed.value(0, offset, links.links.map { $0.receiver == receiver ? offset : 0 })
    }
    powers = links.beacons.indices.map { power(ofBeacon: $0).value }
  }

  /// Returns the power at 1 m of a beacon at a receiver in dBm, and its covariance with the exponent
  /// in dB.
  ///
  /// - Parameters:
  ///   - beacon: The number of the beacon; nil for an average one.
  ///   - receiver: The number of the receiver; nil for an average one.
  package func power(
    ofBeacon beacon: Int? = nil, atReceiver receiver: Int? = nil
  ) -> (value: Value, cross: Double) {
    let common = AnchorLinks.power.deviation * AnchorLinks.power.deviation
    let power = beacon == nil ? 0 : deviations.power * deviations.power
    let offset = receiver == nil ? 0 : deviations.offset * deviations.offset
    let column = links.links.map {
      common + ($0.beacon == beacon ? power : 0) + ($0.receiver == receiver ? offset : 0)
    }
    return (
      observed.value(AnchorLinks.power.mean, common + power + offset, column), -dot(slope, column)
    )
  }

  /// Returns the deviations of the highest posterior density; factors of 1.5 about those of indoor
  /// measurements are likely.
  private static func mostLikely(_ links: AnchorLinks) -> AnchorLinks.Deviations {
    let centre = AnchorLinks.Deviations().logarithms
    let minimum = SimplexMinimum(
      from: centre, steps: [0.3, 0.3, 0.3, 0.3], tolerance: 0.03, maximumSteps: 80
    ) { logarithms in
      let scores = zip(logarithms, centre).map { ($0 - $1) / 0.4 }
      guard scores.allSatisfy({ abs($0) < 5 }),
        let observed = Observed(links, .init(logarithms: logarithms))
      else { return .infinity }
      return 0.5 * dot(scores, scores) - observed.evidence
    }
    return .init(logarithms: minimum.x)
  }
}

extension AnchorLinks {
  /// Returns the prior covariance of the exponent or of a wall loss with each level.
  fileprivate func covariance(ofCoefficient index: Int) -> [Double] {
    links.map { columns($0)[index] * columnPriors.variances[index] }
  }

  /// Returns the links between the first anchors.
  func among(_ most: Int) -> AnchorLinks {
    guard places.count > most else { return self }
    var some = self
    let chosen = Set(Array(places.indices).sampled(most))
    some.links = links.filter { link in
      let (a, b) = ends(link)
      return chosen.contains(a) && chosen.contains(b)
    }
    some.sensitivity = limit
    return some
  }
}

/// The observations of links as normal ones, with their prior mean and covariance.
struct Observed: Sendable {
  /// Each level less its prior mean, in dB.
  private(set) var errors: [Double]
  /// The factor of the covariance of all levels.
  private(set) var factor: CholeskyFactor
  /// The covariance besides that of the exponent and the wall losses, row by row.
  private(set) var rest: [Double]
  /// The logarithm of the marginal likelihood.
  private(set) var evidence = 0.0

  /// Returns the posterior of a quantity.
  ///
  /// - Parameter covariance: Its prior covariance with each level.
  func value(_ mean: Double, _ variance: Double, _ covariance: [Double]) -> LinkCalibration.Value {
    let gain = factor.solve(covariance)
    return LinkCalibration.Value(
      mean: mean + dot(gain, errors),
      deviation: max(variance - dot(gain, covariance), 0).squareRoot())
  }

  /// - Returns: nil where the covariance is singular.
  init?(_ links: AnchorLinks, _ deviations: AnchorLinks.Deviations) {
    let (means, variances) = links.columnPriors
    let count = links.links.count
    let columns = links.links.map { links.columns($0) }
    let prior = columns.map { AnchorLinks.power.mean + dot($0, means) }
    rest = links.covariance(deviations)
    var matrix = rest
    for (i, one) in columns.enumerated() {
      for (j, other) in columns.enumerated() {
        for (k, variance) in variances.enumerated() {
          matrix[i * count + j] += one[k] * variance * other[k]
        }
      }
    }
    let unheard = links.links.indices.filter { links.links[$0].level == nil }
    let own = links.links.map { links.noise($0, deviations) }
    // Stand-ins begin as good as unknown.
    var noise = own
    var errors = zip(links.links, prior).map { link, mean in (link.level ?? links.limit) - mean }
    for link in unheard { noise[link] = 1e4 }
    func factored() -> CholeskyFactor? {
      var sum = matrix
      for link in 0..<count { sum[link * count + link] += noise[link] }
      return CholeskyFactor(sum, size: count)
    }
    guard var factor = factored() else { return nil }
    var correction = 0.0
    for _ in 0..<(unheard.isEmpty ? 0 : 12) {
      let (inverse, weights) = (factor.inverse, factor.solve(errors))
      var change = 0.0
      correction = 0
      for link in unheard {
        // The level without its own stand-in.
        let precision = inverse[link * count + link]
        let variance = max(1 / precision - noise[link], 1e-6)
        let mean = errors[link] - weights[link] / precision
        let stand = StandIn(
          below: links.limit - prior[link], noise: own[link], mean: mean, variance: variance)
        change = max(change, abs(1 / stand.noise - 1 / noise[link]))
        // Half a step at a time, because all stand-ins change together.
        let (old, new) = (1 / noise[link], 1 / stand.noise)
        let joint = 0.5 * (old + new)
        errors[link] = 0.5 * (old * errors[link] + new * stand.level) / joint
        noise[link] = 1 / joint
        correction += stand.correction(noise: noise[link], level: errors[link])
      }
      guard let next = factored() else { return nil }
      factor = next
      if change < 1e-4 { break }
    }
    for link in 0..<count { rest[link * count + link] += noise[link] }
    (self.errors, self.factor) = (errors, factor)
    evidence =
      -0.5 * dot(errors, factor.solve(errors)) - 0.5 * factor.logDeterminant + correction
  }

  /// The normal stand-in for an unheard link.
  private struct StandIn {
    let (mean, variance, logMass): (Double, Double, Double)
    /// Its level and variance.
    let (level, noise): (Double, Double)

    /// - Parameters:
    ///   - limit: The limit below which the level with its own noise lies.
    ///   - mean: The mean of the level without its stand-in.
    init(below limit: Double, noise own: Double, mean: Double, variance: Double) {
      (self.mean, self.variance) = (mean, variance)
      let spread = (variance + own).squareRoot()
      let score = (limit - mean) / spread
      // The ratio of the normal density and its integral, by its asymptote far below.
      let mass = 0.5 * Double.erfc(-score / 2.0.squareRoot())
      let ratio =
        score < -8
        ? -score - 1 / score
        : Double.exp(-0.5 * score * score) / (mass * (2 * Double.pi).squareRoot())
      logMass = score < -8 ? -0.5 * score * score - Double.log(-score * 2.5066) : Double.log(mass)
      let shifted = mean - variance * ratio / spread
      let share = variance * ratio * (score + ratio) / (spread * spread)
      let left = variance * max(1 - share, 1e-6)
      let precision = max(1 / left - 1 / variance, 1e-6)
      noise = 1 / precision
      level = (shifted / left - mean / variance) / precision
    }

    /// Returns the part of the logarithm of the evidence.
    func correction(noise: Double, level: Double) -> Double {
      let sum = variance + noise
      return logMass + 0.5 * Double.log(sum) + (mean - level) * (mean - level) / (2 * sum)
    }
  }
}
