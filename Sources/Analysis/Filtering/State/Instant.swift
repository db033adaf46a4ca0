/// The mean of the levels of the latest instant, which counts as one level.
///
/// Filters that weight the latest level by the elapsed time would ignore all but the first of
/// several levels at the same time, which are common with coarse clocks.
struct Instant: Sendable {
  /// The time since the previous instant, in seconds; infinite for the first.
  private(set) var seconds = Double.infinity
  /// The mean level, in dBm.
  private(set) var mean = 0.0
  private var count = 0.0
  private var time: Int64 = 0

  /// Adds a level, and returns `true` if it is the first of a new instant. An earlier time counts
  /// as the latest one.
  @inline(__always)
  mutating func add(_ rssi: Double, at time: Int64) -> Bool {
    if count > 0, time <= self.time {
      count += 1
      mean += (rssi - mean) / count
      return false
    }
    if count > 0 { seconds = secondsLater(time, than: self.time) }
    self.time = time
    mean = rssi
    count = 1
    return true
  }
}

/// Returns the linear interpolation between two levels by a share from 0 to 1; it is between the
/// two to the last bit.
@inline(__always)
func between(_ from: Double, _ to: Double, share: Double) -> Double {
  let level = from + share * (to - from)
  return from < to ? max(from, min(level, to)) : max(to, min(level, from))
}

/// Returns the seconds between two times in nanoseconds, 0 if the second is not later. The
/// difference may exceed `Int64`.
@inline(__always)
package func secondsLater(_ time: Int64, than last: Int64) -> Double {
  time > last ? Double(UInt64(bitPattern: time &- last)) * 1e-9 : 0
}
