import Glibc

/// The clocks that an engine reads and how it waits, so that tests set the time.
package struct MachineClock: Sendable {
  /// Nanoseconds since the Unix epoch; the clock may be set.
  package var now: @Sendable () -> Int64
  /// Nanoseconds of a clock that is never set.
  package var monotonic: @Sendable () -> Int64
  /// Waits for a number of milliseconds.
  package var pause: @Sendable (Int32) -> Void

  package init(
    now: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Int32) -> Void
  ) {
    (self.now, self.monotonic, self.pause) = (now, monotonic, pause)
  }

  /// The clocks of the machine.
  package static var system: MachineClock {
    MachineClock(
      now: { SystemClock.now }, monotonic: { SystemClock.monotonic },
      pause: { _ = poll(nil, 0, $0) })
  }
}
