/// The RSSI that a number stands for: NaN for the sentinels that peers average by mistake.
///
/// HCI defines -127 to 20 dBm and 127 for "not available" (Bluetooth Core Specification 5.4, volume
/// 4, part E, section 7.7.65.2); anything outside, such as the 100 that some apps log for "not
/// heard", is not a level either.
package func level(_ rssi: Float) -> Float {
  rssi >= -127 && rssi <= 20 ? rssi : .nan
}
