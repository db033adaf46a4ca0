/// When something counts as a change.
package struct WatchSettings: Equatable, Sendable {
  package var borders = ZoneBorders()
  /// The least that a level must be beyond a border for the zone to change, dB.
  package var hysteresis = 2.0
  /// And as many standard deviations of the filtered level: 2.58 is beyond the border with 99.5 %.
  package var deviations = 2.575_829_303_548_9
  /// From one ranging to the next, nanoseconds.
  package var period: Int64 = 1_000_000_000
  /// A beacon that was not heard for so long has left, nanoseconds.
  package var exitAfter: Int64 = 30_000_000_000
  /// A beacon that was not heard for so long is at no known distance, nanoseconds.
  package var staleAfter: Int64 = 10_000_000_000

  package init() {}
}
