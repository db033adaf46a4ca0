import NumericalMethods
import RealModule

/// Standard errors, degrees of freedom and intervals of a linear fit.
final class FitUncertainty {
  private let basis: PathLossGroup.ErrorBasis
  /// The estimator's own standard deviation, in dB.
  private let sigma: Double
  /// The covariance of the centred parameters; `nil` if there are too few positions.
  private let covariance: Matrix?
  private let clustered: ClusteredCovariance?
  /// The covariance of positions with one variance; `nil` for walks, which have several offsets, and
  /// for estimators other than least squares.
  private var components: ComponentCovariance?
  /// The least covariance if all levels are whole: readings of a position then share their rounding
  /// and agree more closely than they are known; `nil` otherwise.
  private var leastCovariance: Matrix?
  /// The covariance clustered by device, place and pose; `nil` if there is nothing to cluster by.
  private let crossed: CrossedClusters?
  private let classicalFreedom: Double
  private let residuals: Residuals
  private let uncentring: Matrix
  /// The coefficients, not centred.
  private let coefficients: [Double]

  init(
    _ fit: LinearFit, _ observations: Observations, _ residuals: Residuals, _ effects: PlaceEffects
  ) {
    self.residuals = residuals
    sigma = fit.sigma
    uncentring = observations.uncentring
    classicalFreedom = observations.samples - Double(observations.parameters)
    coefficients = uncentring * fit.coefficients
    let isSingle = Double(observations.clusterCount) == observations.samples
    let isPlain =
      fit.logLikelihood == nil && fit.iterations == 1 && observations.weight == observations.count
    if isSingle, isPlain {
      // With one reading per position, the classical errors of least squares apply.
      let size = observations.parameters
      let total = fit.positions.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
      let variance = max(fit.sigma * fit.sigma, observations.roundingVariance)
      covariance = total.positiveInverse.map { variance * $0 }
      clustered = nil
      crossed = CrossedClusters(fit, residuals, effects)
      basis = crossed?.basis ?? .samples
      return
    }
    guard observations.clusterCount > observations.parameters else {
      basis = .positions
      covariance = nil
      clustered = nil
      crossed = nil
      return
    }
    let positions = fit.positions(residuals)
    clustered = ClusteredCovariance(positions, sharesInAdjustment: fit.logLikelihood == nil)
    crossed = CrossedClusters(fit, residuals, effects)
    basis = crossed?.basis ?? .positions
    if fit.isWeighedByComponents, observations.stations == observations.clusterCount,
      let found = residuals.components
    {
      // Readings on the curve have no error.
      components = ComponentCovariance(
        positions, scale: found.deviation > 0 ? 1 : 0, freedom: found.freedom)
    }
    covariance = components?.covariance ?? clustered?.covariance
    if let packet = residuals.components?.packet, packet <= observations.roundingVariance {
      leastCovariance = Self.covariance(ofErrors: packet, sharedIn: fit.positions)
    }
  }

  /// Returns the covariance of estimates whose readings share an error of some variance in each
  /// position.
  private static func covariance(
    ofErrors variance: Double, sharedIn positions: [PositionInformation]
  ) -> Matrix? {
    guard let size = positions.first?.score.count else { return nil }
    var (total, sums) = (Matrix(zeros: size, size), Matrix(zeros: size, size))
    for position in positions {
      total = total + position.information
      sums.addOuter((0..<size).map { position.information[$0, 0] })
    }
    return total.positiveInverse.map { variance * ($0 * sums * $0) }
  }

  /// Returns the variance of a linear combination of uncentred coefficients with its degrees of
  /// freedom, or `nil` if it is unknown.
  private func variance(of combination: [Double]) -> (variance: Double, freedom: Double)? {
    guard let covariance else { return nil }
    var centred = uncentring.transposed * combination
    centred += [Double](repeating: 0, count: covariance.rows - centred.count)
    let least = leastCovariance?.form(centred) ?? 0
    if let crossed {
      let (variance, freedom) = crossed.variance(of: centred)
      return variance.isFinite ? (max(variance, least), freedom) : nil
    }
    let variance = covariance.form(centred)
    guard variance.isFinite else { return nil }
    let freedom =
      components?.degreesOfFreedom(of: centred) ?? clustered?.degreesOfFreedom(of: centred)
      ?? classicalFreedom
    return (max(variance, least), freedom)
  }

  /// Returns the change of the uncentred coefficients on removal of a position, or `nil` if it is
  /// unknown.
  func influence(of position: Int) -> [Double]? {
    clustered?.influence(of: position).map { uncentring * Array($0[..<uncentring.rows]) }
  }

  /// The position with the largest share of an estimate, with that share.
  var largestShare: (position: Int, share: Double)? { clustered?.largestShare }

  func add(to group: inout PathLossGroup, _ design: Design) {
    guard covariance != nil else {
      let count = group.positions
      group.diagnostics.append(
        Diagnostic(
          "too-few-positions",
          "\(count) position\(count == 1 ? "" : "s") only: no standard errors; record at "
            + "\(uncentring.rows + 1) or more",
          value: Double(count)))
      return
    }
    group.errorBasis = basis
    var power = unit(0)
    if let error = interval(of: power, at: group.measuredPower) {
      group.powerError = error.error
      group.powerInterval = error.interval
      group.powerFreedom = error.freedom
    }
    if let index = design.index(of: .exponent) {
      if let error = interval(of: unit(index), at: group.exponent) {
        group.exponentError = error.error
        group.exponentInterval = error.interval
        group.exponentFreedom = error.freedom
      }
      // The covariance follows from the variance of the sum.
      power[index] = 1
      if let sum = variance(of: power)?.variance, let p = group.powerError,
        let n = group.exponentError
      {
        group.powerExponentCovariance = (sum - p * p - n * n) / 2
      }
    }
    addWalls(to: &group, design)
    addFarSlope(to: &group, design)
    group.sigmaInterval = sigmaInterval
  }

  private func addWalls(to group: inout PathLossGroup, _ design: Design) {
    let walls = design.names.compactMap { name -> WallLoss? in
      guard case .wall(let kind) = name, let index = design.index(of: name) else { return nil }
      let loss = coefficients[index]
      let error = interval(of: unit(index), at: loss)
      return WallLoss(
        kind: kind, attenuation: loss, standardError: error?.error, interval: error?.interval)
    }
    if !walls.isEmpty { group.walls = walls }
  }

  private func addFarSlope(to group: inout PathLossGroup, _ design: Design) {
    guard let near = design.index(of: .exponent), let bend = design.index(of: .bend) else { return }
    var combination = unit(near)
    combination[bend] = 1
    let error = interval(of: combination, at: group.twoSlope?.farExponent)
    group.twoSlope?.farExponentError = error?.error
    group.twoSlope?.farExponentInterval = error?.interval
  }

  private func unit(_ index: Int) -> [Double] {
    (0..<uncentring.rows).map { $0 == index ? 1 : 0 }
  }

  private func interval(
    of combination: [Double], at value: Double?
  ) -> (error: Double, interval: Interval, freedom: Double)? {
    guard let value, let (variance, freedom) = variance(of: combination) else { return nil }
    let error = variance.squareRoot()
    let half = StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975) * error
    guard half.isFinite else { return nil }
    return (error, Interval(lower: value - half, upper: value + half), freedom)
  }

  /// The interval of the standard deviation of single readings, in dB.
  ///
  /// For one reading per position, it is the chi-square interval of Gaussian levels; otherwise
  /// that of the variance components, because a thousand packets at twenty positions determine
  /// sigma little better than twenty readings do. For estimators that trim outliers, the interval
  /// is scaled to their own sigma.
  private var sigmaInterval: Interval? {
    let sigma = max(sigma, residuals.observations.roundingVariance.squareRoot())
    guard sigma > 0, classicalFreedom > 0 else { return nil }
    if basis != .samples { return clusteredInterval }
    let distribution = ChiSquaredDistribution(degreesOfFreedom: classicalFreedom)
    func end(_ probability: Double) -> Double {
      sigma * (classicalFreedom / distribution.quantile(probability)).squareRoot()
    }
    let interval = Interval(lower: end(0.975), upper: end(0.025))
    return interval.isFinite ? interval : nil
  }

  private var clusteredInterval: Interval? {
    let least = residuals.observations.roundingVariance
    let own = max(residuals.all.squares / classicalFreedom, least)
    let scale = max(sigma, least.squareRoot()) / own.squareRoot()
    let interval = crossed?.deviationInterval ?? residuals.components?.interval
    return interval.map {
      Interval(lower: scale * $0.lower, upper: scale * $0.upper)
    }
  }
}
