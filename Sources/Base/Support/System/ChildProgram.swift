import Glibc

/// A running program that answers each line with a line.
///
/// No other child inherits its pipes, so it sees the end of its input when this side closes it.
package final class ChildProgram {
  /// The reason why a line was not answered.
  package enum Failure: Error {
    case timedOut
    case ended
    /// The program wrote a line that is too long for an answer, or unsolicited.
    case malformed
  }

  private let process: ShellProcess
  /// The input; `nil` after its end.
  private var input: Int32?
  private var isOver = false
  private var buffer: [UInt8] = []

  private static let longestLine = 1 << 20

  /// - Parameters:
  ///   - command: The command for the shell, such as `./mine --fast`; its standard error is this
  ///     program's.
  ///   - answers: A Boolean value that is true if its standard output is read; otherwise it is
  ///     discarded.
  /// - Throws: `RSSIError` if the system cannot start another program.
  package init(_ command: String, answers: Bool = true) throws(RSSIError) {
    process = try ShellProcess(command, answers: answers)
    input = process.input
    // A program that does not read, or does not write, must not block this one.
    for end in [process.input, process.output] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Sends a line without waiting for an answer.
  package func send(_ line: [UInt8], within milliseconds: Int) throws(Failure) {
    try write(line + [UInt8(ascii: "\n")], until: Self.now() + milliseconds)
  }

  /// Sends a line and waits for the next line.
  package func ask(_ line: [UInt8], within milliseconds: Int) throws(Failure) -> [UInt8] {
    let deadline = Self.now() + milliseconds
    // A line before the question is not its answer, and would shift all later answers.
    guard try isSilent() else { throw .malformed }
    try write(line + [UInt8(ascii: "\n")], until: deadline)
    return try receive(until: deadline)
  }

  /// Ends the input and waits for the program to end; its background processes continue.
  ///
  /// - Returns: The exit status as in a shell, or `nil` if it did not end in time.
  package func finish(within milliseconds: Int) -> Int32? {
    let deadline = Self.now() + milliseconds
    if let input { close(input) }
    input = nil
    while true {
      var status: Int32 = 0
      if waitpid(process.id, &status, WNOHANG) == process.id {
        isOver = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
      }
      guard Self.now() < deadline else { return nil }
      _ = poll(nil, 0, 2)
    }
  }

  /// Kills the program and all its descendants.
  package func end() { process.kill() }

  /// Returns a Boolean value that is true if there is nothing to read.
  private func isSilent() throws(Failure) -> Bool {
    guard buffer.isEmpty else { return false }
    var poll = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0 || poll.revents & Int16(POLLIN) == 0
  }

  private func write(_ bytes: [UInt8], until deadline: Int) throws(Failure) {
    guard let input else { throw .ended }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { writeWithoutSignal($0, to: input) }
      if count > 0 {
        sent += count
      } else if count < 0, errno == EAGAIN {
        try wait(for: input, POLLOUT, until: deadline)
      } else if !(count < 0 && errno == EINTR) {
        throw .ended
      }
    }
  }

  private func receive(until deadline: Int) throws(Failure) -> [UInt8] {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        return line
      }
      guard buffer.count <= Self.longestLine else { throw .malformed }
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = read(process.output, &block, block.count)
      if count > 0 {
        buffer += block[..<count]
      } else if count < 0, errno == EAGAIN {
        try wait(for: process.output, POLLIN, until: deadline)
      } else if !(count < 0 && errno == EINTR) {
        throw .ended
      }
    }
  }

  private func wait(for end: Int32, _ events: Int32, until deadline: Int) throws(Failure) {
    let left = deadline - Self.now()
    guard left > 0 else { throw .timedOut }
    var poll = pollfd(fd: end, events: Int16(events), revents: 0)
    let ready = Glibc.poll(&poll, 1, Int32(clamping: left))
    if ready == 0 { throw .timedOut }
  }

  private static func now() -> Int { Int(SystemClock.monotonic / 1_000_000) }

  deinit {
    if let input { close(input) }
    close(process.output)
    guard !isOver else { return }
    // A lingering program would outlive this one.
    end()
    var status: Int32 = 0
    while waitpid(process.id, &status, 0) < 0, errno == EINTR {}
  }
}

/// Writes to a pipe; if its reader has ended, the result is `EPIPE` without a signal.
private func writeWithoutSignal(_ bytes: UnsafeRawBufferPointer, to end: Int32) -> Int {
  var (brokenPipe, mask) = (sigset_t(), sigset_t())
  sigemptyset(&brokenPipe)
  sigaddset(&brokenPipe, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &brokenPipe, &mask)
  let count = write(end, bytes.baseAddress, bytes.count)
  let reason = errno
  if count < 0, reason == EPIPE {
    var now = timespec()
    sigtimedwait(&brokenPipe, nil, &now)
  }
  pthread_sigmask(SIG_SETMASK, &mask, nil)
  errno = reason
  return count
}
