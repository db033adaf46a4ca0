import Glibc
import Recordings

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

  static func write(_ text: String) {
    try? writeAll(Array(text.utf8), to: STDERR_FILENO, path: "the standard error")
  }
}
