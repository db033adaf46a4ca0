import Glibc
import Plotting
import Recordings
import Reporting
import Screens
import Support
import Synchronization

/// Standard output, buffered; a full disk is an error, a closed pipe ends the program quietly.
enum StandardOutput {
  nonisolated(unsafe) private static var buffer: [UInt8] = []
  nonisolated(unsafe) private static var isAbsent = false

  /// A Boolean value that is true if there is only a report to print, beside the files that hold
  /// the result: a program that was started without a standard output then goes without its report.
  nonisolated(unsafe) static var isOptional = false

  /// Occupies the standard descriptors that are closed, before anything else is opened: a file
  /// would get their number, and a message would end in it.
  ///
  /// They are opened in the wrong direction, so that reading and writing fail.
  static func prepare() {
    isAbsent = fcntl(STDOUT_FILENO, F_GETFD) < 0
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // This is the lowest free number.
      _ = open("/dev/null", mode)
    }
  }

  private static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Writes data as they are: JSON, NDJSON and CSV. A terminal shows what would steer it as JSON
  /// escapes it.
  static func write(_ text: String) throws { try draw(isTerminal ? text.escapedForTerminal : text) }

  /// Writes control codes for a terminal.
  static func draw(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes text for people, in which names from outside cannot steer a terminal.
  static func show(_ text: String) throws { try show(TextReport(text)) }
  static func show(_ report: TextReport) throws {
    try draw(report.text(in: OutputTerminal().layout))
  }

  static func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    if isAbsent {
      guard !isOptional, !buffer.isEmpty else { return }
      throw RSSIError(
        .inputOutput, "standard output is closed, and there is a result to print: open it")
    }
    try writeAll(buffer, to: STDOUT_FILENO, path: "the standard output")
  }
}

/// Standard output, for engines that write lines.
struct StandardOutputLines: LineWriter {
  /// A Boolean value that is true if the lines steer a terminal on purpose.
  var steers = false

  func write(_ text: String) throws {
    if steers { try StandardOutput.draw(text) } else { try StandardOutput.write(text) }
  }
  func flush() throws { try StandardOutput.flush() }
}

/// Standard error: messages, never results.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static let diversion = Mutex<(@Sendable (String) -> Bool)?>(nil)

  /// Shows messages to a taker that keeps those for which it returns true; nil ends that.
  static func divert(to taker: (@Sendable (String) -> Bool)?) { diversion.withLock { $0 = taker } }

  /// Writes a message as one line, which a terminal shows with ends between words, and in which
  /// names from outside cannot steer it.
  static func write(line: String) {
    let isShown = isTerminal && diversion.withLock { $0 == nil }
    let layout = TextLayout(
      width: isShown ? ScreenTerminal.size(of: STDERR_FILENO).columns : nil)
    write(TextReport(line.printable + "\n").text(in: layout))
  }

  /// Writes text as it is, such as a line of progress that is drawn again.
  static func write(_ text: String) {
    if let taker = diversion.withLock({ $0 }), taker(text) { return }
    try? writeAll(Array(text.utf8), to: STDERR_FILENO, path: "the standard error")
  }
}

/// Writes a text to a file that appears under its name only when it is whole; - is standard output.
func writeOutput(_ text: String, to path: String) throws {
  try writeOutput(to: path) { write in try write(text) }
}

/// Draws a chart into a file of the format that its name ends in; it appears only when it is whole.
func writeOutput(_ chart: Chart, to path: String) throws {
  try writeWhole(chart.picture(PictureFormat(path: path)), to: path)
}

/// Passes a function that writes text piece by piece, as `writeOutput(_:to:)` writes it.
func writeOutput(to path: String, _ body: ((String) throws -> Void) throws -> Void) throws {
  guard path != "-" else { return try body { try StandardOutput.write($0) } }
  try writeWhole(to: path, body)
}
