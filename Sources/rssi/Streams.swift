import Glibc
import Recordings
import Synchronization

/// Standard output, buffered; a full disk is told, a closed pipe ends the program quietly.
enum StandardOutput {
  nonisolated(unsafe) private static var buffer: [UInt8] = []

  static func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 { try flush() }
  }

  static func flush() throws {
    try writeAll(buffer, to: STDOUT_FILENO, path: "the standard output")
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Standard error: messages, never results.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static let diversion = Mutex<(@Sendable (String) -> Bool)?>(nil)

  /// Shows messages to somebody who keeps those for which it returns true; nil ends that.
  static func divert(to taker: (@Sendable (String) -> Bool)?) { diversion.withLock { $0 = taker } }

  static func write(_ text: String) {
    if let taker = diversion.withLock({ $0 }), taker(text) { return }
    try? writeAll(Array(text.utf8), to: STDERR_FILENO, path: "the standard error")
  }
}
