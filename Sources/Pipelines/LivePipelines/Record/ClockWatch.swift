package import Sightings
package import Support

/// Reads both clocks once a minute, and at once when the first one was set.
struct ClockWatch {
  /// The new readings, and the step if there was one.
  struct Finding {
    var readings: [ClockReading] = []
    /// The step of the clock, in nanoseconds; nil = it was not set.
    var step: Int64?
    /// The time in which it was set, by the clock as it is now.
    var uncertain: ClosedRange<Int64>?
  }

  private let clock: MachineClock
  private var last: ClockReading
  private var next: Int64 = 0

  /// The time between two readings, in nanoseconds.
  private static let period: Int64 = 60_000_000_000
  /// The change above which the clock was set: time services turn it by at most 0.5 ms/s.
  private static let stepThreshold: Int64 = 50_000_000

  init(_ clock: MachineClock) {
    self.clock = clock
    last = clock.reading
  }

  /// Begins with a file, which has a reading at its start.
  mutating func begin() -> ClockReading {
    last = clock.reading
    next = last.monotonic + Self.period
    return last
  }

  mutating func look() -> Finding {
    let reading = clock.reading
    let elapsed = reading.monotonic - last.monotonic
    let step = reading.time - last.time - elapsed
    var finding = Finding()
    if abs(step) > Self.stepThreshold {
      finding.readings.append(last)
      finding.step = step
      finding.uncertain = (reading.time - max(0, elapsed))...reading.time
    }
    if finding.step != nil || reading.monotonic >= next {
      finding.readings.append(reading)
      next = reading.monotonic + Self.period
    }
    last = reading
    return finding
  }
}

extension MachineClock {
  /// Both clocks, and the synchronisation of the first one by a time service.
  ///
  /// Two clocks cannot be read at one instant. The one that is never set is read before and after
  /// the other, and again if something else ran in between, which would look like a step of the
  /// clock.
  package var reading: ClockReading {
    var best: (reading: ClockReading, width: Int64)?
    for _ in 0..<16 {
      let before = monotonic()
      let time = now()
      let width = monotonic() - before
      if width < best?.width ?? .max {
        best = (
          ClockReading(
            time: time, monotonic: before + width / 2,
            isSynchronised: SystemClock.isSynchronised), width
        )
      }
      if width < 100_000 { break }
    }
    return best?.reading
      ?? ClockReading(time: now(), monotonic: monotonic(), isSynchronised: false)
  }
}
