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
  ///
  /// Two clocks cannot be read at one instant. The one that is never set is read before and after
  /// the other, and again where something else ran in between, which would look as if somebody had
  /// set it.
  static var reading: ClockReading {
    var best: (reading: ClockReading, width: Int64)?
    for _ in 0..<16 {
      let before = monotonic
      let time = now
      let width = monotonic - before
      if width < best?.width ?? .max {
        best = (
          ClockReading(
            time: time, monotonic: before + width / 2,
            isSynchronised: ctimex_is_synchronised() != 0), width
        )
      }
      if width < 100_000 { break }
    }
    return best?.reading
      ?? ClockReading(time: now, monotonic: monotonic, isSynchronised: false)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
