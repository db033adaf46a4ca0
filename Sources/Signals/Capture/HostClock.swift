internal import CBlueZ  // its headers define parts of the C library
import Glibc

/// The machine's clocks, in nanoseconds.
enum HostClock {
  /// Since the Unix epoch; somebody may set it.
  static func now() -> Int64 { reading(of: CLOCK_REALTIME) }

  /// Since an arbitrary instant; nobody sets it.
  static func monotonic() -> Int64 { reading(of: CLOCK_MONOTONIC) }

  private static func reading(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * .second + Int64(time.tv_nsec)
  }
}
