import NumericalMethods
import RealModule

/// A fit of one model with one estimator to the stations of a group.
///
/// It works on counts, not on packets: a million packets at a hundred places take milliseconds.
public struct PathLossFit: Sendable {
  /// The model to fit.
  public var model: PathLossModel
  /// The estimator of the constants.
  public var estimator: PathLossEstimator
  /// The sensitivity of each receiver, in dBm: its weakest level unless another is known. It is the
  /// edge of reception of estimators that correct for missing packets if the edge is hard.
  public var sensitivity: [String: Double] = [:]
  /// The choices beyond model and estimator; it holds the requested sensitivity.
  public var configuration = FitConfiguration()
  /// The levels for which to report the distance, in dBm.
  public var levels: [Double] = []
  /// The number of bootstrap draws over positions; 0 for none.
  public var bootstrapDraws = 0
  /// The random seed of the bootstrap.
  public var seed: UInt64 = 1
  /// A closure that receives the number of completed bootstrap draws of a group.
  package var drawn: @Sendable (Int) -> Void = { _ in }

  /// Creates a fit of a model with an estimator.
  public init(model: PathLossModel = .logDistance, estimator: PathLossEstimator = .leastSquares) {
    self.model = model
    self.estimator = estimator
  }

  /// Returns the constants with their uncertainty, or diagnostics that explain their absence.
  ///
  /// - Parameters:
  ///   - stations: The stations in any order; sums use a fixed order.
  ///   - key: The name of the group.
  ///   - unheard: The stations at which the receiver could have received packets, but did not; only
  ///     the estimator `censored` uses them.
  package func group(
    key: String, _ stations: [Station], unheard: [Station] = []
  ) -> PathLossGroup {
    var stations = stations.sorted(by: Station.precedes)
    var group = PathLossGroup(key: key, of: stations)
    if let refusal = refusal(group, stations) {
      group.diagnostics.append(refusal)
      return group
    }
    if estimator.accountsForMissing, hasHardEdge {
      if let (kept, count) = StrayPackets.leftOut(of: stations, below: sensitivity) {
        stations = kept
        group.diagnostics.append(
          Diagnostic(
            "stray-packets",
            "\(count) packet\(count == 1 ? "" : "s") below the sensitivity "
              + "\(count == 1 ? "is" : "are") left out as corrupted",
            value: Double(count)))
      } else if let stray = StrayPackets.weakest(of: stations) {
        group.diagnostics.append(
          Diagnostic(
            "stray-weakest",
            "the weakest packet of \(stray.receiver), \(shown(stray.level)) dBm, is alone, "
              + "\(shown(stray.next - stray.level)) dB below the next: if it was corrupted, "
              + "a sensitivity of \(shown(stray.next)) dBm leaves it out",
            value: stray.level))
      }
    }
    do {
      try fit(
        stations, unheard: estimator == .censored ? unheard.sorted(by: Station.precedes) : [],
        into: &group)
    } catch {
      switch error {
      case .undetermined: group.diagnostics.append(undetermined(group))
      case .reason(let words): group.diagnostics.append(Diagnostic("not-fitted", words))
      }
    }
    return group
  }

  /// Returns the reason why a group cannot be fitted.
  private func refusal(_ group: PathLossGroup, _ stations: [Station]) -> Diagnostic? {
    let needsSlope = if case .fixedExponent = model { false } else { true }
    if group.samples < (needsSlope ? 2 : 1) {
      return Diagnostic(
        "too-few-samples",
        needsSlope
          ? "too few samples: a path-loss fit needs at least 2 samples at 2 distances"
          : "too few samples: a fit of the measured power needs at least 1")
    }
    if needsSlope, group.distances < 2 { return .oneDistance }
    if model == .walls, stations.contains(where: { $0.walls == nil }) {
      return Diagnostic(
        "no-walls",
        "the walls between some stations are unknown: distances must come from positions, "
          + "and walls from a site"
      )
    }
    if estimator.accountsForMissing, hasHardEdge,
      stations.contains(where: { sensitivity[$0.receiver] == nil })
    {
      return Diagnostic("no-sensitivity", "the sensitivity of some receivers is unknown")
    }
    return estimator == .censored
      ? MissedPackets.refusal(stations, interval: configuration.advertisingInterval) : nil
  }

  private var hasHardEdge: Bool { configuration.sensitivityScale == 0 }

  private func undetermined(_ group: PathLossGroup) -> Diagnostic {
    model == .walls
      ? Diagnostic(
        "undetermined",
        "distance and walls cannot be separated: record behind other numbers of walls")
      : .oneDistance
  }

  private var linearEstimator: any LinearEstimator {
    switch estimator {
    case .leastSquares, .weighted: LeastSquaresEstimator()
    case .huber: RobustEstimator(loss: .huber)
    case .tukey: RobustEstimator(loss: .tukey)
    case .cauchy: RobustEstimator(loss: .cauchy)
    case .censored: censored(.known(lostShare: configuration.lostShare))
    case .truncated: censored(.unknown)
    }
  }

  private func censored(_ missing: CensoredEstimator.Missing) -> CensoredEstimator {
    CensoredEstimator(
      missing: missing, edge: configuration.sensitivity, scale: configuration.sensitivityScale)
  }

  private func fit(
    _ heard: [Station], unheard: [Station], into group: inout PathLossGroup
  ) throws(NotFitted) {
    // Positions with readings come first, and keep their numbers without the others.
    let stations = heard + unheard
    var design = Design(model, stations)
    let bend = model == .twoSlope ? try TwoSlopeProfile(heard) : nil
    if let bend {
      group.diagnostics += bend.diagnostics
      design.addHinge(at: bend.breakpoint, stations)
    }
    var observations = design.observations(stations)
    addMissing(stations, to: &observations, &group)
    var linear = try linearEstimator.fit(observations)
    if estimator == .leastSquares, configuration.perPosition != .packets {
      try weigh(&observations, &linear, stations)
    }
    // A bootstrap keeps the breakpoint fixed.
    let drawable = (observations: observations, fit: linear)
    if let breakpoint = bend?.breakpoint, let (curvature, slope) = linear.byStation {
      let weights = observations.weight
      observations = design.allowingForBreakpoint(at: breakpoint, stations).observations(stations)
      observations.weight = weights
      linear.positions = observations.positionInformation(curvature: curvature, slope: slope)
      linear.coefficients.append(0)
    }
    group.estimation.hasConverged = linear.hasConverged
    group.estimation.iterations = linear.iterations
    group.estimation.logLikelihood = linear.logLikelihood
    group.estimation.lostShare = linear.lostShare
    addEdge(linear, stations, observations.sensitivity, to: &group)
    if !linear.hasConverged {
      group.diagnostics.append(
        Diagnostic(
          "not-converged",
          "no convergence after \(linear.iterations) iterations: "
            + "do not use the estimate; try another estimator"
        ))
    }
    let coefficients = observations.uncentring * linear.coefficients
    group.measuredPower = coefficients[0]
    group.exponent = design.exponent(coefficients)
    group.twoSlope = design.farExponent(coefficients).flatMap { bend?.slopes(farExponent: $0) }
    let residuals = Residuals(
      heard, unheard.isEmpty ? observations : design.observations(heard),
      coefficients: linear.coefficients, fitted: (stations, observations))
    group.positionDeviation =
      linear.reception?.positionDeviation ?? residuals.components.map { $0.position.squareRoot() }
    group.packetDeviation =
      linear.reception?.packetDeviation ?? residuals.components.map { $0.packet.squareRoot() }
    group.diagnostics += Diagnostic.distances(group, model)
    guard Double(group.samples) > Double(observations.parameters) else {
      group.diagnostics.append(
        Diagnostic(
          "too-few-samples",
          "\(group.samples == 2 ? "two" : "\(group.samples)") samples only: no standard errors"))
      return
    }
    group.residualDeviation =
      (residuals.all.squares / (observations.samples - Double(observations.parameters)))
      .squareRoot()
    group.sigma =
      estimator == .leastSquares
      ? residuals.components?.deviation
        ?? max(linear.sigma, observations.roundingVariance.squareRoot()) : linear.sigma
    let places = PlaceEffects(residuals)
    group.diagnostics += places.diagnostics
    let errors = FitUncertainty(linear, observations, residuals, places)
    // At a truncated search the curvature is not that of the maximum.
    if linear.hasConverged { errors.add(to: &group, design) }
    bend?.widen(&group)
    if estimator != .leastSquares { group.leastSquares = plain(heard, design) }
    group.diagnostics += Diagnostic.checks(residuals, errors, self, group)
    if bootstrapDraws > 0 {
      group.bootstrap = PositionBootstrap(draws: bootstrapDraws, seed: seed, drawn: drawn)
        .intervals(drawable.observations, drawable.fit, linearEstimator, design)
      if group.bootstrap == nil {
        group.diagnostics.append(
          Diagnostic(
            "no-bootstrap",
            "too few positions for a bootstrap (at least \(PositionBootstrap.fewestPositions))"))
      } else if group.positions < PositionBootstrap.fewestPositionsOfDeviation {
        group.diagnostics.append(
          Diagnostic(
            "no-bootstrap-sigma",
            "too few positions for a bootstrap of sigma (at least "
              + "\(PositionBootstrap.fewestPositionsOfDeviation)): few draws contain the tails",
            value: Double(group.positions)))
      }
    }
    if model == .altBeacon { addAltBeacon(heard, &group) }
    if let line = group.line {
      group.distanceAt = levels.compactMap { line.distance(atLevel: $0) }
    }
  }

  /// Fits again with weights from the variance components of a first fit.
  private func weigh(
    _ observations: inout Observations, _ fit: inout LinearFit, _ stations: [Station]
  ) throws(NotFitted) {
    let residuals = Residuals(stations, observations, coefficients: fit.coefficients)
    // Single readings of positions have equal variances.
    let isSingle = observations.samples == Double(observations.clusterCount)
    if let components = residuals.components {
      observations.weigh(by: components)
      fit = try LeastSquaresEstimator().fit(observations)
    }
    fit.isWeighedByComponents = isSingle || residuals.components != nil
  }

  /// Returns the least-squares constants of the same readings.
  private func plain(_ stations: [Station], _ design: Design) -> PlainConstants? {
    var unweighted = design.observations(stations)
    unweighted.weight = unweighted.count
    guard var fit = try? LeastSquaresEstimator().fit(unweighted),
      (try? weigh(&unweighted, &fit, stations)) != nil
    else { return nil }
    let coefficients = unweighted.uncentring * fit.coefficients
    guard let exponent = design.exponent(coefficients) else { return nil }
    let residuals = Residuals(stations, unweighted, coefficients: fit.coefficients)
    return PlainConstants(
      measuredPower: coefficients[0], exponent: exponent,
      sigma: residuals.components?.deviation ?? fit.sigma)
  }
}

extension PathLossGroup {
  /// Creates a group of these stations, without constants.
  init(key: String, of stations: [Station]) {
    self.init(key: key, samples: 0, positions: 0)
    describe(stations)
  }

  /// Sets the properties that need no fit: the numbers of readings, positions and distances, and
  /// the packets' own error.
  mutating func describe(_ stations: [Station]) {
    samples = stations.reduce(0) { $0 + $1.samples }
    positions = Set(stations.map(\.position)).count
    let all = stations.map(\.distance)
    distances = Set(all).count
    successiveDeviation = Succession.deviation(of: stations)
    if let near = all.min(), let far = all.max() {
      distanceRange = Interval(lower: near, upper: far)
    }
  }
}
