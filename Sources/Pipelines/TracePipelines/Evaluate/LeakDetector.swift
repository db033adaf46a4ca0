import PathLoss

/// Finds the readings that recordings have in common, in spite of rounded, shifted and stretched
/// times, smoothed or altered levels, and other names of nodes.
///
/// The fading of two recordings is correlated only if one was made from the other. Shifts of time
/// at which this is examined are zero, those that equal runs of readings propose, and, for pieces
/// of a recording, those at which the fading of equally named links is correlated most. A
/// correlation counts if it is far above what other shifts of the same recordings give. The share in
/// common is the correlation, times the share of readings that have a partner; for equal levels it
/// is Cohen's kappa with quadratic weights (Fleiss and Cohen 1973).
struct LeakDetector {
  /// The readings that one recording has in common with another.
  struct Found {
    /// The share of its readings that the other one has, from 0 to 1.
    var share = 0.0
    /// The share of the other one's readings that this one has.
    var shareOfOther = 0.0

    var larger: Double { max(share, shareOfOther) }
  }

  /// From this share on, recordings are not independent.
  static let refused = 0.5
  /// The share from which on the user is informed.
  static let notable = 0.1

  private let recordings: [LinkCourses]
  private let runs: ReadingRuns

  /// - Parameter recordings: with sorted readings.
  init(_ recordings: [ReadingSample]) {
    self.recordings = recordings.map { LinkCourses($0) }
    runs = ReadingRuns(recordings)
  }

  /// Returns the agreement of a recording with each of those before a number among them.
  ///
  /// - Complexity: O(n log n) in readings, and O(n) for each of the others.
  func found(in one: ReadingSample, before end: Int? = nil) -> [Found] {
    let proposed = runs.shifts(of: one)
    let courses = LinkCourses(one)
    return (0..<(end ?? recordings.count)).map { index in
      let known = recordings[index]
      guard !one.readings.isEmpty, !known.sample.readings.isEmpty else { return Found() }
      if Self.areEqual(one, known.sample) { return Found(share: 1, shareOfOther: 1) }
      var shifts = proposed[index] ?? []
      if Self.overlap(one, known.sample) { shifts.append(0) }
      var found = Found()
      for pair in RecordingPair.all(courses, known) where found.larger < Self.refused {
        let other = pair.found(at: Set(shifts).sorted())
        if other.larger > found.larger { found = other }
      }
      guard found.larger < Self.refused, let pair = RecordingPair.named(courses, known) else {
        return found
      }
      let pieces = pair.foundInPieces()
      return pieces.larger > found.larger ? pieces : found
    }
  }

  /// Returns a Boolean value that is true if all of enough readings that both keep are equal, which
  /// constant levels are not found by otherwise.
  private static func areEqual(_ one: ReadingSample, _ other: ReadingSample) -> Bool {
    let own = one.readings.filter { other.keeps(time: $0.time) }
    let others = other.readings.filter { one.keeps(time: $0.time) }
    return own.count >= 6 && own.count == others.count
      && zip(own, others).allSatisfy { abs($0.time - $1.time) <= 2 && $0.level == $1.level }
  }

  private static func overlap(_ one: ReadingSample, _ other: ReadingSample) -> Bool {
    guard let start = one.readings.first?.time, let end = one.readings.last?.time,
      let from = other.readings.first?.time, let to = other.readings.last?.time
    else { return false }
    return start - RecordingPair.tolerances[2] <= to && from <= end + RecordingPair.tolerances[2]
  }
}
