internal import NumericalMethods
import RealModule

/// AltBeacon's curve, fitted to the mean levels of stations at known distances.
///
/// It minimises the squares of level − t ((d − C) / A)^(1/B), because the noise is in the levels: a
/// fit of distances to noisy levels would underestimate the exponent. Stations nearer than 1 m are
/// excluded, because the library has another curve there. Levenberg–Marquardt in log(level / t) = α
/// + β log(d − C) and γ = log(nearest − C), in which A, B > 0 and C is below the nearest distance,
/// from the best of several C with a linear fit of log(level / t) each.
package struct AltBeaconFit: Equatable, Sendable {
  /// The curve; the best one found if the search did not converge.
  package let curve: AltBeaconCurve
  /// A Boolean value that is true if `curve` is a minimum of the squares.
  package let hasConverged: Bool
  /// The reason why the search ended.
  package let ending: String
  /// The covariance of A, B and C, clustered by position (CR2); `nil` if there are at most 3
  /// positions or the stations do not determine the curve.
  package let covariance: [[Double]]?
  /// The standard errors of A, B and C, from `covariance`.
  package let standardErrors: [Double]?
  /// The standard deviation of packets about the curve, in dB, with N − 3 degrees of freedom.
  package let sigma: Double
  /// The weighted root mean squares over stations: of the errors of mean levels, in dB; of the
  /// library's distances for mean levels, in metres; and of these relative to the true distances.
  package let levelError: Double
  package let distanceError: Double
  package let relativeDistanceError: Double
  /// The number of excluded stations nearer than 1 m.
  package let nearStations: Int
  package let stations: Int
  package let positions: Int

  /// Fits the curve.
  ///
  /// - Parameters:
  ///   - means: The mean levels, in any order.
  ///   - measuredPower: The power that the beacon advertises, in dBm.
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
      // All levels in use are below 0.
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

/// The mean level of one station, with the statistics of its packets.
package struct StationMean: Equatable, Sendable {
  /// The distance, in metres.
  package var distance: Double
  /// The mean level, in dBm, averaged in dB.
  package var level: Double
  /// The number of packets, which is the weight of the mean.
  package var count: Double
  /// The sum of squared deviations of packets from the mean, in dB².
  package var squaresWithin: Double
  /// A number that identifies the position; stations of one position are correlated.
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

/// The residuals of mean levels about AltBeacon's curve, with their derivatives.
///
/// Parameters: α and β of log(level / t) = α + β log(d − C), and γ = log(nearest − C).
struct AltBeaconProblem {
  private let means: [StationMean]
  private let roots: [Double]
  private let power: Double
  private let nearest: Double
  private let farthest: Double

  init(_ means: [StationMean], measuredPower: Double) {
    self.means = means
    roots = means.map { $0.count.squareRoot() }
    power = measuredPower
    nearest = means.map(\.distance).min() ?? 0
    farthest = means.map(\.distance).max() ?? 0
  }

  /// Returns the curve for some parameters: β = 1 / B, α = −β log A.
  func curve(_ parameters: [Double]) -> AltBeaconCurve {
    AltBeaconCurve(
      a: .exp(-parameters[0] / parameters[1]), b: 1 / parameters[1],
      c: nearest - .exp(parameters[2]), measuredPower: power)
  }

  /// The best start of several C, each with a linear fit of log(level / t) on log(d − C); `nil` if
  /// none of them falls with distance.
  var start: [Double]? {
    var best: (squares: Double, parameters: [Double])?
    for step in -8...8 {
      // nearest − C from 1e-3 to 1e3 times the distances' range.
      let gamma = Double.log(farthest - nearest) + Double(step) * Double.log(10) * 0.375
      guard let line = line(gamma), line[1] > 0 else { continue }
      let squares = residuals(line).reduce(0) { $0 + $1 * $1 }
      if squares.isFinite, squares < best?.squares ?? .infinity { best = (squares, line) }
    }
    return best?.parameters
  }

  private func line(_ gamma: Double) -> [Double]? {
    var (n, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for one in means {
      let log = logSpan(one, .exp(gamma))
      let level = Double.log(one.level / power)
      n += one.count
      x += one.count * log
      y += one.count * level
      xx += one.count * log * log
      xy += one.count * log * level
    }
    let slope = (xy - x * y / n) / (xx - x * x / n)
    return slope.isFinite ? [(y - slope * x) / n, slope, gamma] : nil
  }

  /// Returns log(d − C).
  private func logSpan(_ one: StationMean, _ margin: Double) -> Double {
    .log(one.distance - nearest + margin)
  }

  /// Returns the residuals times the root of their weight.
  func residuals(_ parameters: [Double]) -> [Double] {
    let margin = Double.exp(parameters[2])
    return zip(means, roots).map { one, root in
      root * (power * .exp(parameters[0] + parameters[1] * logSpan(one, margin)) - one.level)
    }
  }

  func jacobian(_ parameters: [Double]) -> [Double] {
    let margin = Double.exp(parameters[2])
    return zip(means, roots).flatMap { one, root -> [Double] in
      let log = logSpan(one, margin)
      let level = root * power * .exp(parameters[0] + parameters[1] * log)
      return [level, level * log, level * parameters[1] * margin / .exp(log)]
    }
  }

  /// Returns the covariance of A, B and C, or `nil` if positions do not outnumber parameters.
  func covariance(_ parameters: [Double]) -> [[Double]]? {
    let residuals = residuals(parameters)
    let jacobian = jacobian(parameters)
    var numbers: [Int: Int] = [:]
    var positions: [PositionInformation] = []
    for (row, one) in means.enumerated() {
      let number = numbers[one.position] ?? positions.count
      if number == positions.count {
        numbers[one.position] = number
        positions.append(PositionInformation(information: Matrix(zeros: 3, 3), score: [0, 0, 0]))
      }
      let derivatives = Array(jacobian[3 * row..<3 * row + 3])
      positions[number] += PositionInformation(
        information: Matrix.outer(derivatives, derivatives),
        score: derivatives.map { -$0 * residuals[row] })
    }
    guard positions.count > 3,
      let own = ClusteredCovariance(positions, sharesInAdjustment: true)?.covariance
    else { return nil }
    // Derivatives of A, B and C.
    let (alpha, beta) = (parameters[0], parameters[1])
    let a = Double.exp(-alpha / beta)
    let change = Matrix(
      rows: 3, columns: 3,
      [
        -a / beta, a * alpha / (beta * beta), 0,
        0, -1 / (beta * beta), 0,
        0, 0, -.exp(parameters[2]),
      ])
    let result = change * own * change.transposed
    let rows = (0..<3).map { row in (0..<3).map { result[row, $0] } }
    return rows.joined().allSatisfy(\.isFinite) ? rows : nil
  }
}

extension AltBeaconFit {
  /// The reason why there is no curve.
  package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// A measured power in dBm that is not below 0.
    case measuredPower(Double)
    /// The index of a station with implausible values.
    case unusableStation(Int)
    /// Too few different distances of at least 1 m.
    case tooFewDistances(Int)
    case tooFewPackets
    case doesNotFall
    /// The distances do not determine the curve; with the reason why the search ended.
    case undetermined(String)

    package var description: String {
      switch self {
      case .measuredPower(let power):
        "measured power \(power) dBm: AltBeacon's curve requires a value below 0 dBm"
      case .unusableStation(let index):
        "station \(index): expected a distance and a count above 0, a level below "
          + "0 dBm, and squares of at least 0: exclude it"
      case .tooFewDistances(let count):
        "\(count) distance\(count == 1 ? "" : "s") of 1 m or more: AltBeacon's curve has 3 "
          + "constants; "
          + "record at 4 or more"
      case .tooFewPackets:
        "too few packets: AltBeacon's curve requires at least 4"
      case .doesNotFall:
        "levels do not fall with distance, so AltBeacon's curve does not fit: check the distances"
      case .undetermined(let ending):
        "these distances do not determine AltBeacon's curve (\(ending)): record at more of them"
      }
    }
  }

  /// Returns the stations of at least 1 m.
  static func check(
    _ means: [StationMean], _ measuredPower: Double
  ) throws(Refusal) -> [StationMean] {
    guard measuredPower < 0, measuredPower.isFinite else { throw .measuredPower(measuredPower) }
    let wrong = means.firstIndex { one in
      !(one.distance > 0 && one.distance.isFinite && one.level < 0 && one.level.isFinite
        && one.count > 0 && one.count.isFinite && one.squaresWithin >= 0
        && one.squaresWithin.isFinite)
    }
    if let wrong { throw .unusableStation(wrong) }
    let used = means.filter { $0.distance >= 1 }
    let distances = Set(used.map(\.distance)).count
    guard distances >= 4 else { throw .tooFewDistances(distances) }
    guard used.reduce(0, { $0 + $1.count }) > 3 else { throw .tooFewPackets }
    return used
  }
}

extension PathLossFit {
  /// Adds the curve of the AltBeacon library to the group.
  func addAltBeacon(_ stations: [Station], _ group: inout PathLossGroup) {
    let power =
      configuration.referencePower ?? (group.measuredPower ?? 0).rounded(.toNearestOrAwayFromZero)
    let positions = numbers(stations.map(\.position))
    let means = stations.map { station in
      StationMean(
        distance: station.distance, level: station.meanLevel, count: Double(station.samples),
        squaresWithin: station.squaresWithin, position: positions[station.position] ?? 0)
    }
    do {
      let fit = try AltBeaconFit(means, measuredPower: power)
      group.altBeacon = AltBeaconConstants(fit)
      if !fit.hasConverged {
        group.diagnostics.append(
          Diagnostic(
            "not-converged", "AltBeacon's curve did not converge (\(fit.ending)): do not use it"))
      }
      if fit.nearStations > 0 {
        group.diagnostics.append(
          Diagnostic(
            "near-stations",
            "AltBeacon's curve excludes \(fit.nearStations) "
              + "place\(fit.nearStations == 1 ? "" : "s") nearer than 1 m, where the library uses "
              + "another curve",
            value: Double(fit.nearStations)))
      }
    } catch {
      group.diagnostics.append(Diagnostic("no-altbeacon-curve", error.description))
    }
  }
}
