/// The line of text with the progress of long work and the time left.
package struct ProgressText {
  private let label: String
  private let total: Int
  private var shown: Duration?

  /// The minimum time between two lines, so that showing them costs nothing.
  private static let pause = Duration.milliseconds(100)

  /// - Parameters:
  ///   - label: the work, such as `fit bench.h5`.
  ///   - total: the number of units of work, above 0.
  package init(_ label: String, total: Int) {
    (self.label, self.total) = (label, max(1, total))
  }

  /// Returns the next line; nil if the last one is too recent.
  ///
  /// - Parameters:
  ///   - done: the number of completed units.
  ///   - elapsed: the time since the work began.
  package mutating func next(_ done: Int, elapsed: Duration) -> String? {
    if let shown, elapsed - shown < Self.pause { return nil }
    shown = elapsed
    let done = min(done, total)
    let left = timeLeft(done: done, of: total, elapsed: elapsed).map { ", \(words($0)) left" }
    return "\(label) \(done * 100 / total) %\(left ?? "")"
  }
}

/// Returns the time that work still takes at its speed so far; nil while that is not known: in the
/// first two seconds, and before the first unit is complete.
func timeLeft(done: Int, of total: Int, elapsed: Duration) -> Duration? {
  guard done > 0, elapsed >= .seconds(2) else { return nil }
  return elapsed * (Double(max(0, total - done)) / Double(done))
}

/// Returns a time such as `12 s`, `4 min` or `2 h 5 min`, rounded up.
private func words(_ time: Duration) -> String {
  let seconds = Int((time / .seconds(1)).rounded(.up))
  let minutes = (seconds + 59) / 60
  return switch seconds {
  case ..<100: "\(seconds) s"
  case ...3600: "\(minutes) min"
  default: "\(minutes / 60) h \(minutes % 60) min"
  }
}
