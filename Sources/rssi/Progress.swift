import Glibc

/// A line on a terminal that says how far a long stage is; nothing anywhere else.
struct Progress {
  private let label: String
  private let total: Int
  private var nextReport = 0
  private let isShown: Bool

  init(_ label: String, total: Int, quiet: Bool) {
    self.label = label
    self.total = total
    isShown = StandardError.isTerminal && !quiet && total > 0
  }

  mutating func update(_ done: Int) {
    guard isShown, done >= nextReport else { return }
    nextReport = done + max(1, total / 100)
    StandardError.write("\r\(label) \(min(100, done * 100 / total)) %  ")
  }

  func finish() {
    if isShown { StandardError.write("\r\u{1B}[K") }
  }
}
