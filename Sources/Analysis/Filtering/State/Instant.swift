/// The levels of the newest instant, taken as one: their mean.
///
/// Filters that follow the newest level by how much time has passed would ignore all but the first
/// of several levels at the same time, of which receivers with coarse clocks have many.
struct Instant: Sendable {
  /// Since the instant before; infinite for the first one.
  private(set) var seconds = Double.infinity
  /// dBm.
  private(set) var mean = 0.0
  private var count = 0.0
  private var time: Int64 = 0

  /// Takes a level, and shows whether it is the first of a new instant. An earlier time than the
  /// newest one counts as that.
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

/// The way from one level to another, by a share from 0 to 1; between the two, to the last bit.
@inline(__always)
func between(_ from: Double, _ to: Double, share: Double) -> Double {
  let level = from + share * (to - from)
  return from < to ? max(from, min(level, to)) : max(to, min(level, from))
}

/// Seconds from one time in nanoseconds to another, 0 where that is not later. The distance of two
/// times may be beyond `Int64`.
@inline(__always)
package func secondsLater(_ time: Int64, than last: Int64) -> Double {
  time > last ? Double(UInt64(bitPattern: time &- last)) * 1e-9 : 0
}
