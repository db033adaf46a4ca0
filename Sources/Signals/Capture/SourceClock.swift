import Glibc
import Support

/// The clocks that a source reads, so that tests need not wait.
struct SourceClock {
  /// Nanoseconds since the Unix epoch.
  var time: () -> Int64
  /// Nanoseconds of a clock that is never set.
  var monotonic: () -> Int64
  /// Waits for so many milliseconds.
  var pause: (Int32) -> Void

  /// The machine's clocks.
  static var system: SourceClock {
    SourceClock(
      time: { SystemClock.now }, monotonic: { SystemClock.monotonic },
      pause: { _ = poll(nil, 0, $0) })
  }
}

/// Durations in nanoseconds.
extension Int64 {
  static var second: Int64 { 1_000_000_000 }
  static var millisecond: Int64 { 1_000_000 }
}
