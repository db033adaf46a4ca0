import Filtering
import Sightings

/// When positions are asked, and of what was heard when; times in nanoseconds.
struct EpochRule {
  /// Between two instants, which are whole multiples of it since the Unix epoch, on every machine.
  let step: Int64
  /// How far an instant looks back.
  let window: Int64
  /// How late a sighting may come.
  let reorder: Int64
  /// A node that was not heard for longer is not asked about, until it is heard again.
  let silence: Int64
  /// Whether `rssi eval`'s instants are asked, which count from a trace's first truth.
  let isOfTruth: Bool

  /// The earliest and the latest time that is heard: later ones would overflow.
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
