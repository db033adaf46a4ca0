import Glibc

/// The Enter key of the terminal at standard input.
struct EnterKey {
  enum Answer { case nothing, pressed, ended }

  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Forgets what was typed before anybody was asked.
  func forget() { tcflush(STDIN_FILENO, TCIFLUSH) }

  /// Waits at most so many milliseconds.
  func answer(within milliseconds: Int32) -> Answer {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return .nothing }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    // A signal is seen to elsewhere; the terminal that is gone, and Ctrl-D, are an answer.
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .nothing : .ended }
    guard count > 0 else { return .ended }
    return bytes[..<count].contains(UInt8(ascii: "\n")) ? .pressed : .nothing
  }
}
