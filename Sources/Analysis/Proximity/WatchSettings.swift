/// When something counts as a change.
public struct WatchSettings: Equatable, Sendable {
  public var borders = ZoneBorders()
  /// The least that a level must be beyond a border for the zone to change, dB.
  public var hysteresis = 2.0
  /// And as many standard deviations of the filtered level: 1.28 is beyond the border with 90 %.
  public var deviations = 1.281_551_565_544_6
  /// From one ranging to the next, nanoseconds.
  public var period: Int64 = 1_000_000_000
  /// A beacon that was not heard for so long has left, nanoseconds.
  public var exitAfter: Int64 = 30_000_000_000
  /// A beacon that was not heard for so long is at no known distance, nanoseconds.
  public var staleAfter: Int64 = 10_000_000_000

  public init() {}
}
