internal import NumericalMethods
import RealModule

/// AltBeacon's curve, fitted to the mean levels of stations at known distances.
///
/// The squares of level − t ((d − C) / A)^(1/B) are made least, for that is where the noise is: a
/// fit of distances to noisy levels would find too small an exponent. Stations nearer than 1 m are
/// left out, since the library has another curve there. Levenberg and Marquardt's method searches
/// in log(level / t) = α + β log(d − C) and γ = log(nearest − C), in which A, B > 0 and C below the
/// nearest distance, from the best of several C with a line of log(level / t) each.
package struct AltBeaconFit: Equatable, Sendable {
  /// The curve, also where the search did not converge: then it is the best one seen.
  package let curve: AltBeaconCurve
  /// Whether `curve` is a minimum of the squares.
  package let hasConverged: Bool
  /// How the search ended, in words.
  package let ending: String
  /// The covariance of A, B and C with stations of a position depending on each other (CR2); nil
  /// where there are no more than 3 positions or the stations do not determine the curve.
  package let covariance: [[Double]]?
  /// Standard errors of A, B and C, from `covariance`.
  package let standardErrors: [Double]?
  /// The standard deviation of packets about the curve, dB, with N − 3 degrees of freedom.
  package let sigma: Double
  /// Root mean squares over stations by their weight: of mean levels, dB; of the distances that the
  /// library shows of mean levels, metres; and of these over the true distances.
  package let levelError: Double
  package let distanceError: Double
  package let relativeDistanceError: Double
  /// Stations nearer than 1 m, left out.
  package let nearStations: Int
  package let stations: Int
  package let positions: Int

  /// Fits.
  ///
  /// - Parameters:
  ///   - means: mean levels, in any order.
  ///   - measuredPower: what the beacon advertises, dBm.
  /// - Throws: `Refusal`; a search that did not converge is a result.
  package init(_ means: [StationMean], measuredPower: Double) throws(Refusal) {
    let used = try Self.check(means, measuredPower)
    let problem = AltBeaconProblem(used, measuredPower: measuredPower)
    guard let start = problem.start else { throw .doesNotFall }
    let fit = NonlinearFit(
      from: start, residuals: problem.residuals, jacobian: problem.jacobian)
    let curve = problem.curve(fit.parameters)
    guard fit.parameters[1] > 0 else { throw .doesNotFall }
    guard curve.a > 0, [curve.a, curve.b, curve.c].allSatisfy(\.isFinite) else {
      throw .undetermined(fit.ending.description)
    }
    self.curve = curve
    hasConverged = fit.hasConverged
    ending = fit.ending.description
    covariance = fit.covariance == nil ? nil : problem.covariance(fit.parameters)
    standardErrors = covariance.map { rows in rows.indices.map { rows[$0][$0].squareRoot() } }
    let count = used.reduce(0) { $0 + $1.count }
    let within = used.reduce(0) { $0 + $1.squaresWithin }
    sigma = ((fit.residualSumOfSquares + within) / (count - 3)).squareRoot()
    levelError = (fit.residualSumOfSquares / count).squareRoot()
    var squares = 0.0
    var relative = 0.0
    for one in used {
      // Every level used is below 0.
      let error = (curve.distance(atLevel: one.level) ?? .infinity) - one.distance
      squares += one.count * error * error
      relative += one.count * (error / one.distance) * (error / one.distance)
    }
    distanceError = (squares / count).squareRoot()
    relativeDistanceError = (relative / count).squareRoot()
    nearStations = means.count - used.count
    stations = used.count
    positions = Set(used.map(\.position)).count
  }
}

/// The mean level of one station, and what a fit of means needs to know of its packets.
package struct StationMean: Equatable, Sendable {
  /// Metres.
  package var distance: Double
  /// dBm, mean in dB.
  package var level: Double
  /// Packets, the mean's weight.
  package var count: Double
  /// Sum of squared deviations of packets from the mean, dB².
  package var squaresWithin: Double
  /// Any number that shows positions apart; stations of one position depend on each other.
  package var position: Int

  package init(
    distance: Double, level: Double, count: Double, squaresWithin: Double, position: Int
  ) {
    self.distance = distance
    self.level = level
    self.count = count
    self.squaresWithin = squaresWithin
    self.position = position
  }
}
