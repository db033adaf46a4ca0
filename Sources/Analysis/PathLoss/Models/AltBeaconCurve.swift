import RealModule

/// The curve of the AltBeacon library for Android, which converts levels to distances: distance = A
/// · ratio^B + C, where ratio is the level over the measured power.
///
/// **For Android:** `coefficient1`, `coefficient2` and `coefficient3` of the library's
/// `CurveFittedDistanceCalculator`, and of a model in its `model-distance-calculations.json`, are
/// `a`, `b` and `c`, in this order. The library takes the measured power from the advertisement, so
/// the three numbers hold for beacons that advertise `measuredPower`.
///
/// The curve has no physical basis; its use is to configure an app that needs these numbers.
package struct AltBeaconCurve: Equatable, Sendable {
  /// The factor A in metres, above 0.
  package var a: Double
  /// The exponent B, above 0.
  package var b: Double
  /// The distance C, in metres.
  package var c: Double
  /// The beacon's measured power, to which ratios refer, in dBm, below 0.
  package var measuredPower: Double

  /// - Parameters:
  ///   - a: The factor in metres, above 0.
  ///   - b: The exponent, above 0.
  ///   - c: The distance in metres.
  ///   - measuredPower: The measured power in dBm, below 0.
  package init(a: Double, b: Double, c: Double, measuredPower: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.measuredPower = measuredPower
  }

  /// Returns the library's distance in metres for a level in dBm, or `nil` for a level of 0 or
  /// more, for which it has none.
  ///
  /// Levels above the measured power give less than 1 m: ratio^10, for any A, B and C. At the
  /// measured power the distance jumps from 1 m to A + C.
  package func distance(atLevel level: Double) -> Double? {
    guard level < 0, measuredPower < 0 else { return nil }
    let ratio = level / measuredPower
    let distance = ratio < 1 ? Double.pow(ratio, 10) : a * Double.pow(ratio, b) + c
    return distance.isFinite ? distance : nil
  }

  /// Returns the level in dBm for which the library shows a distance in metres, or `nil` for a
  /// distance of 0 or less.
  ///
  /// Between 1 m and A + C, which no level gives, it is the measured power; if both of the
  /// library's curves give a distance, it is that of A, B and C.
  package func level(atDistance distance: Double) -> Double? {
    guard distance > 0, distance.isFinite, measuredPower < 0 else { return nil }
    guard distance >= a + c else {
      return measuredPower * min(1, Double.pow(distance, 0.1))
    }
    let level = curve(atDistance: distance)
    return level.isFinite ? level : nil
  }

  /// Returns the level on the curve of A, B and C alone, which is fitted; NaN for distance ≤ C.
  func curve(atDistance distance: Double) -> Double {
    measuredPower * Double.pow((distance - c) / a, 1 / b)
  }
}
