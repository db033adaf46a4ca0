import Sightings
import Support

/// Cuts a recording of several poses, one after the other, into poses of one length from its first
/// sighting on.
///
/// A tenth of each pose at either end is left out, in which the phone or the beacon is turned. What
/// is left at the end is a pose if it is at least half as long as the others.
struct PoseCut {
  /// The place of a time among poses.
  enum Place {
    /// The number of the pose, from 0.
    case pose(Int)
    /// Near the instant at which a pose ends and the next one begins.
    case turning
  }

  /// The length of a pose, in nanoseconds.
  let length: Int64
  /// First and last time of each trace of the file that is read.
  private var spans: [UInt16: ClosedRange<Int64>] = [:]

  /// The shortest pose that gives a level.
  static let shortest = 5 * Timestamp.second

  init(length: Int64) { self.length = length }

  mutating func place(_ time: Int64, ofTrace trace: UInt16) -> Place {
    let known = spans[trace] ?? time...time
    // A time before the first one belongs to no pose.
    spans[trace] = known.lowerBound...max(known.upperBound, time)
    let (since, overflow) = time.subtractingReportingOverflow(known.lowerBound)
    guard since >= 0, !overflow else { return .turning }
    let (number, rest) = since.quotientAndRemainder(dividingBy: length)
    return rest < length / 10 || rest >= length - length / 10 ? .turning : .pose(Int(number))
  }

  /// Returns whether a pose of a trace was recorded for at least half of its length.
  func isLongEnough(_ pose: Int, ofTrace trace: UInt16) -> Bool {
    guard let span = spans[trace] else { return false }
    return span.upperBound - span.lowerBound - Int64(pose) * length >= length / 2
  }

  /// Forgets the times of a file.
  mutating func endFile() { spans.removeAll() }
}
