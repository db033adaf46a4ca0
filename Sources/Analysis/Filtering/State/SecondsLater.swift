/// Seconds from one time in nanoseconds to another, 0 where that is not later. The distance of two
/// times may be beyond `Int64`.
@inline(__always)
package func secondsLater(_ time: Int64, than last: Int64) -> Double {
  time > last ? Double(UInt64(bitPattern: time &- last)) * 1e-9 : 0
}
