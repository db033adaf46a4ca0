internal import LeastSquares
import RealModule

/// Fits `rssi = P − 10 n log10(d)` to readings that come one by one.
///
/// The constants come from GSL's accumulating least squares. Readings taken at one place share its
/// shadowing, so they are not independent: standard errors are clustered by position
/// (Liang and Zeger 1986, with the small-sample factor G/(G−1) · (N−1)/(N−2) of Stata and
/// statsmodels) wherever a position has several readings, and classical where each has one.
/// Memory: six numbers a position. O(1) a reading.
///
/// A class, since its solver cannot be copied.
public final class LogDistanceFit {
  /// Sums over the readings at one position, with x = −10 log10 d less that of the first reading, and
  /// y = rssi. Far from 0 the sums would lose the digits in which distances differ.
  private struct Position {
    var n = 0.0
    var x = 0.0
    var xx = 0.0
    var y = 0.0
    var xy = 0.0
  }

  private let solver = AccumulatingFit(parameters: 2)
  private var origin: Double?
  private var positions: [Position] = []
  private var places: [UInt64: Int] = [:]
  private var lastPlace: (key: UInt64, index: Int)?
  private var shortest = Double.infinity
  private var longest = 0.0

  public init() {}

  /// Adds one reading.
  ///
  /// - Parameters:
  ///   - rssi: dBm, finite.
  ///   - distance: metres, above 0.
  ///   - position: any number that tells positions apart.
  public func add(rssi: Double, distance: Double, position: UInt64) {
    let absolute = -10 * Double.log10(distance)
    solver.addLine(x: absolute, y: rssi)
    let origin = self.origin ?? absolute
    self.origin = origin
    let x = absolute - origin
    let index: Int
    if let lastPlace, lastPlace.key == position {
      index = lastPlace.index
    } else if let known = places[position] {
      index = known
    } else {
      index = positions.count
      positions.append(Position())
      places[position] = index
    }
    lastPlace = (position, index)
    positions[index].n += 1
    positions[index].x += x
    positions[index].xx += x * x
    positions[index].y += rssi
    positions[index].xy += x * rssi
    shortest = min(shortest, distance)
    longest = max(longest, distance)
  }

  /// The constants with their uncertainty, or warnings that say why there are none.
  public func result(key: String) -> PathLossGroup {
    var group = PathLossGroup(key: key, samples: solver.count, positions: positions.count)
    let solution: AccumulatingFit.Solution
    do {
      solution = try solver.solve()
    } catch .tooFewRows {
      group.warnings.append("too few samples: a path-loss fit needs at least 2, at 2 distances")
      return group
    } catch .rankDeficient {
      group.warnings.append(
        "one distance only: measured power and exponent cannot be told apart; record at several distances"
      )
      return group
    } catch {
      group.warnings.append(error.description)
      return group
    }
    group.measuredPower = solution.coefficients[0]
    group.exponent = solution.coefficients[1]
    group.warnings += warnings(exponent: solution.coefficients[1])
    guard solver.count > 2 else {
      group.warnings.append("two samples only: no standard errors")
      return group
    }
    let n = Double(solver.count)
    let variance = solution.residualSumOfSquares / (n - 2)
    group.sigma = variance.squareRoot()
    addErrors(to: &group, solution.coefficients, variance: variance)
    return group
  }

  private func addErrors(
    to group: inout PathLossGroup, _ beta: [Double], variance: Double
  ) {
    let n = Double(solver.count)
    let sums = positions.reduce(into: Position()) { total, position in
      total.x += position.x
      total.xx += position.xx
    }
    let determinant = n * sums.xx - sums.x * sums.x
    let origin = self.origin ?? 0
    var power = 0.0
    var exponent = 0.0
    let degreesOfFreedom: Double
    if positions.count == solver.count {
      group.errorBasis = .samples
      let mean = origin + sums.x / n
      exponent = variance * n / determinant
      power = variance / n + mean * mean * exponent
      degreesOfFreedom = n - 2
    } else {
      guard positions.count > 2 else {
        group.warnings.append(
          "\(positions.count) position\(positions.count == 1 ? "" : "s") only: no standard errors; "
            + "record at 3 or more")
        return
      }
      group.errorBasis = .positions
      let clusters = Double(positions.count)
      let correction = clusters / (clusters - 1) * (n - 1) / (n - 2)
      // The sandwich as a sum of squares, one for each position: what its residuals and their moment
      // move the exponent, the level at the origin, and so the measured power by.
      let level = beta[0] + beta[1] * origin
      for position in positions {
        let sum = position.y - level * position.n - beta[1] * position.x
        let moment = position.xy - level * position.x - beta[1] * position.xx
        let slope = (n * moment - sums.x * sum) / determinant
        let shift = (sums.xx * sum - sums.x * moment) / determinant - origin * slope
        exponent += correction * slope * slope
        power += correction * shift * shift
      }
      degreesOfFreedom = clusters - 2
    }
    let quantile = studentQuantile(0.975, degreesOfFreedom: degreesOfFreedom)
    group.powerError = power.squareRoot()
    group.exponentError = exponent.squareRoot()
    group.powerInterval = interval(beta[0], quantile * power.squareRoot())
    group.exponentInterval = interval(beta[1], quantile * exponent.squareRoot())
  }

  private func interval(_ centre: Double, _ half: Double) -> [Double] {
    [centre - half, centre + half]
  }

  private func warnings(exponent: Double) -> [String] {
    var warnings: [String] = []
    if longest < 10 * shortest {
      warnings.append(
        "distances span \(centimetres(shortest)) to \(centimetres(longest)) m, less than one decade: the exponent is weakly determined"
      )
    }
    if exponent < 1 || exponent > 6 {
      warnings.append(
        "the exponent is outside 1 to 6: check distances, sensitivity and obstacles before using it")
    }
    return warnings
  }
}

/// A length rounded to centimetres, for words.
private func centimetres(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }
