/// When something counts as a change.
package struct WatchSettings: Equatable, Sendable {
  package var borders = ZoneBorders()
  /// The least that a level must be beyond a border for the zone to change, dB.
  package var hysteresis = 2.0
  /// And as many standard deviations of the filtered level: 1.28 is beyond the border with 90 %.
  package var deviations = 1.281_551_565_544_6
  /// From one ranging to the next, nanoseconds.
  package var period: Int64 = 1_000_000_000
  /// A beacon that was not heard for so long has left, nanoseconds.
  package var exitAfter: Int64 = 30_000_000_000
  /// A beacon that was not heard for so long is at no known distance, nanoseconds.
  package var staleAfter: Int64 = 10_000_000_000

  package init() {}
}
