import Sightings

/// When positions are asked, and from which sightings; times in nanoseconds.
package struct EpochRule: Equatable, Sendable {
  /// Between two instants, which are whole multiples of it since the Unix epoch, on every machine.
  package var step: Int64
  /// How far an instant looks back.
  package var window: Int64
  /// How late a sighting may come.
  package var reorder: Int64
  /// A node that was not heard for longer is not asked about, until it is heard again.
  package var silence: Int64
  /// Whether the instants of an evaluation are asked, which count from a trace's first truth.
  package var isOfTruth: Bool

  package init(
    step: Int64, window: Int64? = nil, reorder: Int64 = 0, silence: Int64 = 30_000_000_000,
    isOfTruth: Bool = false
  ) {
    self.step = step
    self.window = window ?? step
    self.reorder = reorder
    self.silence = silence
    self.isOfTruth = isOfTruth
  }

  /// The times that are used: others would overflow.
  static let times = -9_000_000_000 * Timestamp.second...9_000_000_000 * Timestamp.second

  /// The instant whose step a time belongs to: the first that is not earlier.
  func instant(notBefore time: Int64) -> Int64 {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: step)
    return (quotient + (remainder > 0 ? 1 : 0)) * step
  }

  /// The latest instant up to a time.
  func instant(notAfter time: Int64) -> Int64 {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: step)
    return (quotient - (remainder < 0 ? 1 : 0)) * step
  }
}
