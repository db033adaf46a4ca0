import RealModule

/// The curve by which the AltBeacon library of Android turns levels into distances:
/// distance = A · ratio^B + C, where ratio is the level over the measured power.
///
/// **For Android:** `coefficient1`, `coefficient2` and `coefficient3` of the library's
/// `CurveFittedDistanceCalculator`, and of a model in its `model-distance-calculations.json`, are
/// `a`, `b` and `c`, in this order. The library takes the measured power from the advertisement, so
/// the three numbers hold for beacons that advertise `measuredPower`.
///
/// The curve is a shape without physics: use it to give an app the numbers it asks for.
package struct AltBeaconCurve: Equatable, Sendable {
  /// A, metres; above 0.
  package var a: Double
  /// B; above 0.
  package var b: Double
  /// C, metres.
  package var c: Double
  /// The beacon's measured power that ratios refer to, dBm; below 0.
  package var measuredPower: Double

  /// - Parameters:
  ///   - a: metres, above 0.
  ///   - b: above 0.
  ///   - c: metres.
  ///   - measuredPower: dBm, below 0.
  package init(a: Double, b: Double, c: Double, measuredPower: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.measuredPower = measuredPower
  }

  /// The distance in metres that the library shows for a level in dBm; nil for a level that is not
  /// below 0, for which it shows none.
  ///
  /// Levels above the measured power are nearer than 1 m: ratio^10, whatever A, B and C are. At the
  /// measured power the distance jumps from 1 m to A + C.
  package func distance(atLevel level: Double) -> Double? {
    guard level < 0, measuredPower < 0 else { return nil }
    let ratio = level / measuredPower
    let distance = ratio < 1 ? Double.pow(ratio, 10) : a * Double.pow(ratio, b) + c
    return distance.isFinite ? distance : nil
  }

  /// The level in dBm at which the library shows a distance in metres; nil for one of 0 or less.
  ///
  /// Between 1 m and A + C, which it shows of no level, the measured power; where both of its
  /// curves show a distance, that of A, B and C.
  package func level(atDistance distance: Double) -> Double? {
    guard distance > 0, distance.isFinite, measuredPower < 0 else { return nil }
    guard distance >= a + c else {
      return measuredPower * min(1, Double.pow(distance, 0.1))
    }
    let level = curve(atDistance: distance)
    return level.isFinite ? level : nil
  }

  /// The level on the curve of A, B and C alone, which is what is fitted; NaN where distance ≤ C.
  func curve(atDistance distance: Double) -> Double {
    measuredPower * Double.pow((distance - c) / a, 1 / b)
  }
}
