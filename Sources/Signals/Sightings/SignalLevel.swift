/// The level in dBm that a number stands for, or NaN: the rule for every stage and source.
///
/// HCI defines -127 to 20 dBm and 127 for "not available" (Bluetooth Core Specification 5.4, volume
/// 4, part E, section 7.7.65.2); anything outside, such as the 100 that some apps log for "not
/// heard", is not a level. Exactly 0 is not one either: iOS, gateways and sniffers write it where
/// they have no measurement, and no receiver at a distance measures it.
package func level(_ rssi: Float) -> Float {
  rssi >= -127 && rssi <= 20 && rssi != 0 ? rssi : .nan
}

/// The numbers of a source that are not levels, by what they are.
package struct MissingLevels: Sendable {
  /// Exactly 0 dBm.
  package var zeros: UInt64 = 0
  /// Numbers outside -127 to 20 dBm.
  package var outside: UInt64 = 0

  static func + (a: MissingLevels, b: MissingLevels) -> MissingLevels {
    MissingLevels(zeros: a.zeros + b.zeros, outside: a.outside + b.outside)
  }

  /// By reason, as a trace keeps them.
  package var rejected: [Rejected] {
    [
      Rejected(reason: Rejected.zeroLevel, count: zeros),
      Rejected(reason: Rejected.levelOutside, count: outside),
    ].filter { $0.count > 0 }
  }
}
