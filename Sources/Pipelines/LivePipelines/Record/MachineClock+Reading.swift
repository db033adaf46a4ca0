package import Sightings
package import Support

extension MachineClock {
  /// Both clocks, and whether a time service keeps the first one right.
  ///
  /// Two clocks cannot be read at one instant. The one that is never set is read before and after
  /// the other, and again where something else ran in between, which would look as if the clock had
  /// been set.
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
