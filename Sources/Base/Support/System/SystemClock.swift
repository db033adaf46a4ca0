internal import CGlibc
import Glibc

/// The machine's clocks, in nanoseconds.
package enum SystemClock {
  /// Since the Unix epoch; it may be set.
  package static var now: Int64 { read(CLOCK_REALTIME) }

  /// Since the machine started, time asleep included; it is never set.
  package static var monotonic: Int64 { read(CLOCK_BOOTTIME) }

  /// Whether a time service keeps the first of them right.
  package static var isSynchronised: Bool { cglibc_is_synchronised() != 0 }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
