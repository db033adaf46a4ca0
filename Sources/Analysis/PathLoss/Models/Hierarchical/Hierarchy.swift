import NumericalMethods

/// A hierarchical fit of many stations, which provides the constants of groups.
package struct Hierarchy: Sendable {
  package let effects: HierarchicalEffects?
  private let fit: HierarchicalFit?
  private let pooled: PathLossGroup
  private let beacons: [String: Int]
  private let receivers: [String: Int]

  /// - Parameters:
  ///   - stations: The stations of all groups.
  ///   - levels: The levels for which to report the distance, in dBm.
  package init(_ stations: [Station], levels: [Double]) {
    let stations = stations.sorted(by: Station.precedes)
    let beacons = numbers(stations.map(\.beacon))
    let receivers = numbers(stations.map(\.receiver))
    self.beacons = beacons
    self.receivers = receivers
    var pooled = PathLossGroup(key: "pooled", of: stations)
    let positions = numbers(stations.map(\.position))
    let shared = Self.placeEffects(stations)
    let places = shared?.places?.isShared == true ? shared?.index.areas : nil
    let poses = shared?.poses?.isShared == true ? shared?.index.poses : nil
    let sums = stations.enumerated().map { index, station in
      PositionSums(
        station, beacon: beacons[station.beacon] ?? 0, receiver: receivers[station.receiver] ?? 0,
        position: positions[station.position] ?? 0, place: places?[index], pose: poses?[index])
    }
    do {
      let fit = try HierarchicalFit(sums)
      self.fit = fit
      pooled.take(fit)
      effects = HierarchicalEffects(fit, beacons: beacons, receivers: receivers)
      if !fit.hasConverged {
        pooled.diagnostics.append(
          Diagnostic("not-converged", "the likelihood has no clear maximum: do not use this fit"))
      }
      pooled.diagnostics += fit.unseen.map { effect in
        Diagnostic(
          "no-device-scatter",
          "\(effect.rawValue)s do not differ by more than their errors: the standard deviation of "
            + "their offsets is a cautious guess; record more positions per \(effect.rawValue)",
          value: fit.deviations[effect]?.value)
      }
      pooled.diagnostics += fit.omissions.map { Diagnostic("effect-left-out", $0.description) }
      pooled.diagnostics += Diagnostic.distances(pooled, .hierarchical)
      if stations.count(where: { $0.walk != nil }) * 2 > stations.count {
        pooled.diagnostics.append(
          Diagnostic(
            "walked-positions",
            "most readings are from walks, whose packets share more than one offset: "
              + "the errors are too small; record stays, or use the model log-distance"
          ))
      }
    } catch {
      fit = nil
      effects = nil
      pooled.diagnostics.append(
        error == .oneDistance ? .oneDistance : Diagnostic("not-fitted", error.description))
    }
    pooled.diagnostics += shared?.diagnostics ?? []
    if let line = pooled.line {
      let lineFreedom = fit?.lineFreedom
      pooled.distanceAt = levels.compactMap { level in
        // The errors of P and n may have many degrees of freedom when that of the level at a
        // distance, which contains the beacons' offsets, has few.
        var line = line
        if let distance = line.distance(atLevel: level)?.distance,
          let freedom = lineFreedom?.degreesOfFreedom(at: logDistance(distance))
        {
          line.quantile = StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975)
        }
        return line.distance(atLevel: level)
      }
    }
    self.pooled = pooled
  }

  /// Returns the tests of offsets that readings of one place or pose share, from a least-squares
  /// line; `nil` if there is none.
  private static func placeEffects(_ stations: [Station]) -> PlaceEffects? {
    let observations = Design(.logDistance, stations).observations(stations)
    guard let fit = try? LeastSquaresEstimator().fit(observations) else { return nil }
    return PlaceEffects(Residuals(stations, observations, coefficients: fit.coefficients))
  }

  /// Returns the constants of the average beacon at the average receiver, or of one beacon, one
  /// receiver or one link.
  ///
  /// - Parameter stations: The stations of the group.
  package func group(
    key: String, beacon: String?, receiver: String?, _ stations: [Station]
  ) -> PathLossGroup {
    guard beacon != nil || receiver != nil else { return pooled }
    var group = pooled
    group.key = key
    group.describe(stations)
    guard let fit else { return group }
    let own = beacon.flatMap { beacons[$0] }.flatMap {
      $0 < fit.beacons.count ? fit.beacons[$0] : nil
    }
    let heard = receiver.flatMap { receivers[$0] }
      .flatMap { $0 < fit.receivers.count ? fit.receivers[$0] : nil }
    group.measuredPower = fit.measuredPower + (own?.offset ?? 0) + (heard?.offset ?? 0)
    group.sigma = fit.sigma(knowingBeacon: own != nil, receiver: heard != nil)
    group.powerExponentCovariance = nil
    group.distanceAt = []
    guard let one = own ?? heard else { return group }
    group.powerError = nil
    group.powerInterval = nil
    if own != nil, heard != nil {
      group.diagnostics.append(
        Diagnostic(
          "no-link-error",
          "the error of the sum of two predicted offsets is unknown: group by beacon or by "
            + "receiver for errors"
        ))
    } else {
      group.powerError = fit.hasConverged ? one.measuredPowerError : nil
      group.powerInterval = group.measuredPower.flatMap {
        interval($0, one.measuredPowerError * one.measuredPowerError, group.powerFreedom)
      }
    }
    return group
  }
}

extension PositionSums {
  /// Creates the sums of one station, whose packets all have its distance.
  init(
    _ station: Station, beacon: Int, receiver: Int, position: Int, place: Int? = nil,
    pose: Int? = nil
  ) {
    let x = logDistance(station.distance)
    var (n, y, yy) = (0.0, 0.0, 0.0)
    for one in station.levels {
      n += Double(one.count)
      y += Double(one.count) * one.level
      yy += Double(one.count) * one.level * one.level
    }
    self.init(
      beacon: beacon, receiver: receiver, position: position, n: n, x: n * x, xx: n * x * x, y: y,
      xy: x * y, yy: yy, place: place, pose: pose)
  }
}

extension PathLossGroup {
  /// Sets the constants of the average beacon at the average receiver.
  mutating func take(_ fit: HierarchicalFit) {
    measuredPower = fit.measuredPower
    exponent = fit.exponent
    sigma = fit.sigma(knowingBeacon: false, receiver: false)
    // Away from the maximum the curvature is meaningless.
    if fit.hasConverged {
      errorBasis = .positions
      powerError = fit.covariance[0][0].squareRoot()
      exponentError = fit.covariance[1][1].squareRoot()
      powerExponentCovariance = fit.covariance[0][1]
      powerFreedom = fit.powerDegreesOfFreedom
      exponentFreedom = fit.exponentDegreesOfFreedom
      powerInterval = fit.powerInterval
      exponentInterval = fit.exponentInterval
    }
    positionDeviation = fit.deviations[.position]?.value
    packetDeviation = fit.packetDeviation.value
    estimation.hasConverged = fit.hasConverged
    estimation.logLikelihood = fit.logLikelihood
  }
}

extension HierarchicalFit {
  /// Returns the standard deviation of readings about the curve, in dB, given the beacon's or the
  /// receiver's own offset.
  func sigma(knowingBeacon: Bool, receiver: Bool) -> Double {
    var variance = packetDeviation.value * packetDeviation.value
    for (effect, deviation) in deviations {
      if effect == .beacon && knowingBeacon || effect == .receiver && receiver { continue }
      variance += deviation.value * deviation.value
    }
    return variance.squareRoot()
  }
}
