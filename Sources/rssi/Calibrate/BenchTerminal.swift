import Glibc
import LivePipelines
import Reporting
import Support

/// The dialog of a guided bench: prompts and lines on standard error, a live line if that is a
/// terminal, and the Enter key.
struct BenchTerminal: BenchOperator {
  private let isQuiet: Bool
  private let isLive: Bool
  /// The seconds of the pose at which its last line was written.
  private var lastLine = 0.0
  private var lastCount: Int64?

  init(quiet: Bool) {
    isQuiet = quiet
    isLive = StandardError.isTerminal && !quiet
  }

  /// A Boolean value that is true if the Enter key can be read.
  static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 }

  mutating func show(_ event: BenchEvent) {
    switch event {
    case .asking(let prompt): ask(prompt)
    case .countingDown(let left): countDown(left)
    case .listening(let progress): show(progress)
    case .completed(let poses):
      (lastLine, lastCount) = (0, nil)
      if !poses.isEmpty { say(BenchText.completed(poses)) }
    case .summed(let beacon): if let text = BenchText.sum(beacon) { say(text) }
    case .note(let text): say(text)
    case .finished: if isLive { StandardError.write("\r\u{1B}[K\n") }
    }
  }

  func forgetAnswers() { tcflush(STDIN_FILENO, TCIFLUSH) }

  func answer(within milliseconds: Int32) -> BenchAnswer {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return .none }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    // Signals are handled elsewhere; a closed terminal and Ctrl-D count as an answer.
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .none : .quit }
    guard count > 0 else { return .quit }
    return bytes[..<count].contains(UInt8(ascii: "\n")) ? .ready : .none
  }

  private var lineStart: String { isLive ? "\r\u{1B}[K" : "" }

  private func say(_ text: String) {
    if !isQuiet { StandardError.write(lineStart + text.printableLines + "\n") }
  }

  private func ask(_ prompt: BenchPrompt) {
    let text = BenchText.prompt(prompt)
    guard prompt.plan.waits else {
      let wait = plain(prompt.plan.countdown / .seconds(1))
      return say(text + (isLive ? "" : " (in \(wait) s)"))
    }
    // The question is needed to answer it, quiet or not.
    StandardError.write(
      lineStart + text.printableLines + "\n" + BenchText.question(prompt))
  }

  private mutating func countDown(_ left: Duration) {
    let seconds = BenchText.wholeSeconds(left)
    guard isLive, seconds > 0, seconds != lastCount else { return }
    lastCount = seconds
    StandardError.write("\r  step back: \(seconds) s\u{1B}[K")
  }

  private mutating func show(_ progress: BenchProgress) {
    guard !isLive else {
      return StandardError.write("\r\(BenchText.liveProgress(progress))\u{1B}[K")
    }
    let (seconds, period) = (progress.elapsed / .seconds(1), 5.0)
    guard !isQuiet, seconds >= lastLine + period else { return }
    lastLine = (seconds / period).rounded(.down) * period
    say("  \(decimal(seconds, 0)) s: \(BenchText.progress(progress))")
  }
}
