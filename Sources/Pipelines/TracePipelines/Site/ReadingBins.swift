/// The short bins in which trackers hear raw levels; a whole number of them makes up each step.
struct ReadingBins {
  /// The longest bin in nanoseconds: a person walks half a metre in it.
  static let longest: Int64 = 500_000_000

  /// The ends of the bins, included; each begins where the one before ends.
  let ends: [Int64]
  private let start: Int64

  /// - Parameters:
  ///   - start: nanoseconds, not included.
  ///   - step: nanoseconds between epochs.
  init(from start: Int64, to end: Int64, step: Int64) {
    self.start = start
    let parts = (step + Self.longest - 1) / Self.longest
    // Whole nanoseconds: the last bin takes the rest.
    ends = (1...parts).map { start + (end - start) * $0 / parts }
  }

  var count: Int { ends.count }

  /// The start, not included, and the end of each bin.
  var bounds: [(start: Int64, end: Int64)] {
    ends.indices.map { ($0 > 0 ? ends[$0 - 1] : start, ends[$0]) }
  }

  /// The bin of a time; nil where it is in none.
  func number(of time: Int64) -> Int? {
    time > start ? ends.firstIndex { time <= $0 } : nil
  }
}
