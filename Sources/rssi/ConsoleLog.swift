import Screens
import Support
import Synchronization

/// The log on standard error: notes, and on a terminal the progress of long work.
struct ConsoleLog: ActivityLog {
  /// A Boolean value that is true if nothing but errors is shown.
  let isQuiet: Bool

  func note(_ text: String) {
    if !isQuiet { StandardError.write(line: text.namingOptions) }
  }

  func progress(_ label: String, total: Int) -> any ActivityProgress {
    guard StandardError.isTerminal, !isQuiet, total > 0 else { return SilentLog() }
    return ProgressLine(label, total: total)
  }
}

/// The progress of long work in a line on a terminal.
private final class ProgressLine: ActivityProgress {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let text: Mutex<ProgressText>

  init(_ label: String, total: Int) {
    start = clock.now
    text = Mutex(ProgressText(label, total: total))
    update(0)
  }

  func update(_ done: Int) {
    text.withLock {
      guard let line = $0.next(done, elapsed: clock.now - start) else { return }
      StandardError.write("\r\(line)\u{1B}[K")
    }
  }

  func finish() { StandardError.write("\r\u{1B}[K") }
}

extension String {
  /// The text with the properties of requests, such as `` `minDistance` ``, as the options that set
  /// them, such as `--min-distance`: libraries do not know options.
  var namingOptions: String {
    func isName(_ text: Substring) -> Bool {
      text.first.map { "a"..."z" ~= $0 } == true
        && text.allSatisfy { "a"..."z" ~= $0 || "A"..."Z" ~= $0 }
    }
    var (named, rest) = ("", self[...])
    while let open = rest.firstIndex(of: "`") {
      named += rest[..<open]
      let word = rest[rest.index(after: open)...].prefix { $0 != "`" }
      if word.endIndex < rest.endIndex, isName(word) {
        named += "--" + word.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
        rest = rest[rest.index(after: word.endIndex)...]
      } else {
        named += "`"
        rest = rest[rest.index(after: open)...]
      }
    }
    return named + rest
  }
}
