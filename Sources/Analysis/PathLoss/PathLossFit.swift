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
  /// The sensitivity of each receiver, in dBm, which estimators that correct for missing packets
  /// need.
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
  ///   - key: the group's name.
  package func group(key: String, _ stations: [Station]) -> PathLossGroup {
    var stations = stations.sorted(by: Station.precedes)
    var group = PathLossGroup(key: key, of: stations)
    if let refusal = refusal(group, stations) {
      group.diagnostics.append(refusal)
      return group
    }
    if estimator.needsSensitivity {
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
      try fit(stations, into: &group)
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
    if estimator.needsSensitivity, stations.contains(where: { sensitivity[$0.receiver] == nil }) {
      return Diagnostic("no-sensitivity", "the sensitivity of some receivers is unknown")
    }
    if estimator == .censored {
      if configuration.advertisingInterval == nil {
        return Diagnostic(
          "no-missing-counts",
          "the estimator censored requires the number of packets sent: give "
            + "the advertising interval, or use the estimator truncated"
        )
      }
      if stations.contains(where: { $0.span == nil }) {
        return Diagnostic(
          "no-missing-counts",
          "the durations of some stays are unknown, so missed packets cannot be counted: "
            + "use the estimator truncated"
        )
      }
    }
    return nil
  }

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
    case .censored: CensoredEstimator(missing: .known(lostShare: configuration.lostShare))
    case .truncated: CensoredEstimator(missing: .unknown)
    }
  }

  private func fit(_ stations: [Station], into group: inout PathLossGroup) throws(NotFitted) {
    var design = Design(model, stations)
    let bend = model == .twoSlope ? try TwoSlopeProfile(stations) : nil
    if let bend {
      group.diagnostics += bend.diagnostics
      design.addHinge(at: bend.breakpoint, stations)
    }
    var observations = design.observations(stations)
    addMissing(stations, to: &observations, &group)
    var linear = try linearEstimator.fit(observations)
    // A bootstrap keeps the breakpoint fixed.
    let drawable = (observations: observations, fit: linear)
    if let breakpoint = bend?.breakpoint, let (curvature, slope) = linear.byStation {
      observations = design.allowingForBreakpoint(at: breakpoint, stations).observations(stations)
      linear.positions = observations.positionInformation(curvature: curvature, slope: slope)
      linear.coefficients.append(0)
    }
    group.estimation.hasConverged = linear.hasConverged
    group.estimation.iterations = linear.iterations
    group.estimation.logLikelihood = linear.logLikelihood
    group.estimation.lostShare = linear.lostShare
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
    let residuals = Residuals(stations, observations, coefficients: linear.coefficients)
    group.positionDeviation = residuals.components.map { $0.position.squareRoot() }
    group.packetDeviation = residuals.components.map { $0.packet.squareRoot() }
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
    let errors = FitUncertainty(linear, observations, residuals)
    // At a truncated search the curvature is not that of the maximum.
    if linear.hasConverged { errors.add(to: &group, design) }
    if estimator != .leastSquares { group.leastSquares = plain(stations, design) }
    group.diagnostics += Diagnostic.checks(residuals, errors, self, group)
    if bootstrapDraws > 0 {
      group.bootstrap = PositionBootstrap(draws: bootstrapDraws, seed: seed, drawn: drawn)
        .intervals(drawable.observations, drawable.fit, linearEstimator, design)
      if group.bootstrap == nil {
        group.diagnostics.append(
          Diagnostic("no-bootstrap", "too few positions for a bootstrap (at least 5)"))
      }
    }
    if model == .altBeacon { addAltBeacon(stations, &group) }
    if let line = group.line {
      group.distanceAt = levels.compactMap { line.distance(atLevel: $0) }
    }
  }

  /// Returns the least-squares constants of the same readings.
  private func plain(_ stations: [Station], _ design: Design) -> PlainConstants? {
    var unweighted = design.observations(stations)
    unweighted.weight = unweighted.count
    guard let fit = try? LeastSquaresEstimator().fit(unweighted) else { return nil }
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

extension PathLossFit {
  /// Adds each receiver's sensitivity and number of missed packets to the observations.
  func addMissing(
    _ stations: [Station], to observations: inout Observations, _ group: inout PathLossGroup
  ) {
    guard estimator.needsSensitivity else { return }
    var used = sensitivity.filter { given in stations.contains { $0.receiver == given.key } }
    for station in stations {
      // The sensitivity cannot exceed a received level.
      used[station.receiver] = min(used[station.receiver] ?? 0, station.levels.first?.level ?? 0)
    }
    observations.sensitivity = stations.map { used[$0.receiver] ?? 0 }
    for (receiver, edge) in used.sorted(by: { $0.key < $1.key }) {
      if let given = sensitivity[receiver], edge < given {
        group.diagnostics.append(
          Diagnostic(
            "sensitivity-too-high",
            "\(receiver) received \(shown(edge)) dBm, below the given sensitivity of "
              + "\(shown(given)) dBm: the lower one is used",
            value: edge))
      }
    }
    group.estimation.sensitivity = used
    guard estimator == .censored, let interval = configuration.advertisingInterval else { return }
    let missed = MissedPackets(stations, interval: interval)
    observations.missing = missed.counts
    group.estimation.missed = Int(missed.counts.reduce(0, +).rounded())
    if let (station, sent) = missed.crowded {
      group.diagnostics.append(
        Diagnostic(
          "interval-too-long",
          "\(stations[station].samples) packets were received in a stay in which \(Int(sent)) were "
            + "sent at the given advertising interval: give the correct interval",
          value: Double(stations[station].samples) - sent))
    }
  }
}
