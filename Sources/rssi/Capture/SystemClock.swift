import CTimex
import Glibc
import Sightings

/// The machine's clocks, in nanoseconds.
enum SystemClock {
  /// Since the Unix epoch; somebody may set it.
  static var now: Int64 { read(CLOCK_REALTIME) }

  /// Since the machine started, sleep included; nobody sets it.
  static var monotonic: Int64 { read(CLOCK_BOOTTIME) }

  /// Both, and whether a time service keeps the first one right.
  static var reading: ClockReading {
    ClockReading(
      time: now, monotonic: monotonic, isSynchronised: ctimex_is_synchronised() != 0)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
