/// The short bins in which trackers hear raw levels; a whole number of them makes up each step.
struct ReadingBins {
  /// The longest bin in nanoseconds: a person walks half a metre in it.
  static let longest: Int64 = 500_000_000

  private let start: Int64
  /// Nanoseconds of all bins.
  private let length: Int64
  let count: Int

  /// - Parameters:
  ///   - start: nanoseconds, not included.
  ///   - step: nanoseconds between epochs, above 0.
  init(from start: Int64, to end: Int64, step: Int64) {
    (self.start, length) = (start, end - start)
    count = Int((step - 1) / Self.longest + 1)
  }

  /// The start, not included, and the end of each bin, included; each begins where the one before
  /// ends.
  var bounds: some Collection<(start: Int64, end: Int64)> {
    (0..<count).lazy.map { (end(ofFirst: $0), end(ofFirst: $0 + 1)) }
  }

  /// In whole nanoseconds, rounded down.
  private func end(ofFirst bins: Int) -> Int64 {
    let (whole, rest) = length.quotientAndRemainder(dividingBy: Int64(count))
    // The product of two numbers below the count of bins.
    return start + whole * Int64(bins) + rest * Int64(bins) / Int64(count)
  }

  /// The bin of a time; nil where it is in none.
  func number(of time: Int64) -> Int? {
    guard time > start, time - start <= length else { return nil }
    // The first bin that does not end before the time.
    let share = (time - start).multipliedFullWidth(by: Int64(count))
    let (bin, rest) = length.dividingFullWidth(share)
    return Int(bin) - (rest == 0 ? 1 : 0)
  }
}
