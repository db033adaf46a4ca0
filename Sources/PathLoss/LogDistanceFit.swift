internal import LeastSquares
import RealModule

/// Fits `rssi = P − 10 n log10(d)` to readings that come one by one.
///
/// The constants come from GSL's accumulating least squares. Readings taken at one place share its
/// shadowing, so they are not independent: standard errors are clustered by position
/// (Liang and Zeger 1986, with the small-sample factor G/(G−1) · (N−1)/(N−2) of Stata and
/// statsmodels) wherever a position has several readings, and classical where each has one.
/// Memory: six numbers a position. O(1) a reading.
public struct LogDistanceFit {
  /// Sums over the readings at one position, with x = −10 log10 d and y = rssi.
  private struct Position {
    var n = 0.0
    var x = 0.0
    var xx = 0.0
    var y = 0.0
    var xy = 0.0
  }

  private let solver = AccumulatingFit(parameters: 2)
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
  public mutating func add(rssi: Double, distance: Double, position: UInt64) {
    let x = -10 * Double.log10(distance)
    solver.addLine(x: x, y: rssi)
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
    let inverse = (aa: sums.xx / determinant, ab: -sums.x / determinant, bb: n / determinant)
    let power: Double
    let exponent: Double
    let degreesOfFreedom: Double
    if positions.count == solver.count {
      group.errorBasis = .samples
      power = variance * inverse.aa
      exponent = variance * inverse.bb
      degreesOfFreedom = n - 2
    } else {
      guard positions.count > 2 else {
        group.warnings.append(
          "\(positions.count) positions only: no standard errors; record at 3 or more")
        return
      }
      group.errorBasis = .positions
      let clusters = Double(positions.count)
      let correction = clusters / (clusters - 1) * (n - 1) / (n - 2)
      var meat = (aa: 0.0, ab: 0.0, bb: 0.0)
      for position in positions {
        let a = position.y - beta[0] * position.n - beta[1] * position.x
        let b = position.xy - beta[0] * position.x - beta[1] * position.xx
        meat.aa += a * a
        meat.ab += a * b
        meat.bb += b * b
      }
      func sandwich(_ u: Double, _ v: Double) -> Double {
        correction * (u * u * meat.aa + 2 * u * v * meat.ab + v * v * meat.bb)
      }
      power = sandwich(inverse.aa, inverse.ab)
      exponent = sandwich(inverse.ab, inverse.bb)
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
        "distances span \(shortest) to \(longest) m, less than one decade: the exponent is weakly determined"
      )
    }
    if exponent < 1 || exponent > 6 {
      warnings.append(
        "the exponent is outside 1 to 6: check distances, sensitivity and obstacles before using it")
    }
    return warnings
  }
}
