internal import CGlibc
import Glibc

/// The clocks and waits of an engine, which tests can replace.
public struct MachineClock: Sendable {
  /// The time, in nanoseconds since the Unix epoch; the clock may be set.
  public var now: @Sendable () -> Int64
  /// The time of a clock that is never set, in nanoseconds.
  public var monotonic: @Sendable () -> Int64
  /// Waits for a number of milliseconds.
  public var pause: @Sendable (Int32) -> Void

  /// Creates a clock from its functions.
  public init(
    now: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Int32) -> Void
  ) {
    (self.now, self.monotonic, self.pause) = (now, monotonic, pause)
  }

  /// The clocks of the machine.
  public static var system: MachineClock {
    MachineClock(
      now: { SystemClock.now }, monotonic: { SystemClock.monotonic },
      pause: { _ = poll(nil, 0, $0) })
  }
}

/// The machine's clocks, in nanoseconds.
package enum SystemClock {
  /// The time since the Unix epoch; it may be set.
  package static var now: Int64 { read(CLOCK_REALTIME) }

  /// The time since the machine started, including sleep; it is never set.
  package static var monotonic: Int64 { read(CLOCK_BOOTTIME) }

  /// A Boolean value that is true if a time service synchronises the clock (NTP).
  package static var isSynchronised: Bool { cglibc_is_synchronised() != 0 }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
