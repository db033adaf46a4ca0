import Foundation
import Glibc
import Support
import Synchronization

/// A running program that answers lines with lines.
///
/// Its pipes are its own: no other child inherits them, so that it sees the end when we close them.
final class ChildProgram {
  /// Why a line was not answered.
  enum Silence: Error {
    case timedOut
    case ended
    /// A line longer than any answer.
    case babble
  }

  private let process: pid_t
  /// What the environment of the program, and of all that it starts, has as `RSSI_CHILD`.
  private let mark: String
  /// Nil once its input has ended.
  private var input: Int32?
  private var isOver = false
  private let output: Int32
  private var buffer: [UInt8] = []

  private static let longestLine = 1 << 20

  /// - Parameters:
  ///   - command: for the shell, such as `./mine --fast`; its standard error is ours.
  ///   - answers: whether what it writes is read; else it goes nowhere.
  /// - Throws: `RSSIError` where the system starts no further program.
  init(_ command: String, answers: Bool = true) throws {
    mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let mark = mark
    let started = try Self.starting.withLock { _ in try Self.start(command, answers, mark) }
    process = started.process
    input = started.input
    output = started.output
    // Neither a program that does not read nor one that does not write may hold us up.
    for end in [started.input, output] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  /// Pipes are open for all children until they are marked as ours: one program starts at a time.
  private static let starting = Mutex(())

  private static func start(
    _ command: String, _ answers: Bool, _ mark: String
  ) throws -> (process: pid_t, input: Int32, output: Int32) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0 else { throw failure(command, errno) }
    guard pipe(&fromChild) == 0 else {
      let reason = errno
      for end in toChild { close(end) }
      throw failure(command, reason)
    }
    // Not only the pipes: files and sockets of ours, some with locks, are not the child's.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let number = Int32(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    if answers {
      posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    // What this program ignores, the child would ignore too: a broken pipe ends it as is usual.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // The threads that work in parallel block signals, which a program of its own should get.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    // A group of its own, so that all that the shell starts ends with it.
    posix_spawnattr_setpgroup(&attributes, 0)
    let words = strings(["/bin/sh", "-c", command])
    let variables = strings(
      childEnvironment().merging([markName: mark]) { $1 }.map { "\($0)=\($1)" })
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, variables)
    close(toChild[0])
    close(fromChild[1])
    guard result == 0 else {
      close(toChild[1])
      close(fromChild[0])
      throw failure(command, result)
    }
    return (process, toChild[1], fromChild[0])
  }

  /// Texts as C has them, ended by nil; the caller frees them.
  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  private static func failure(_ command: String, _ reason: Int32) -> RSSIError {
    RSSIError(.failed, "cannot start \(command): \(systemMessage(reason))")
  }

  /// Sends a line that is not answered.
  func tell(_ line: [UInt8], within milliseconds: Int) throws(Silence) {
    try send(line + [UInt8(ascii: "\n")], until: Self.now() + milliseconds)
  }

  /// Ends its input and waits for its end, so long at most; what it started in the background goes
  /// on.
  ///
  /// - Returns: its exit status as a shell has it; nil where it did not end in time.
  func finish(within milliseconds: Int) -> Int32? {
    let deadline = Self.now() + milliseconds
    if let input { close(input) }
    input = nil
    while true {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        isOver = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
      }
      guard Self.now() < deadline else { return nil }
      _ = poll(nil, 0, 2)
    }
  }

  /// Ends it, and what it started, at once.
  func end() {
    kill(-process, SIGKILL)
    endDescendants()
  }

  private static let markName = "RSSI_CHILD"

  /// Ends what it started in sessions of their own: their environment has its mark.
  private func endDescendants() {
    let entry = Array("\(Self.markName)=\(mark)".utf8)
    // One that starts another while it is looked for is found in the next round.
    for _ in 0..<100 {
      let found = Self.processes().filter { Self.environment(of: $0).contains(entry) }
      guard !found.isEmpty else { return }
      for process in found { kill(process, SIGKILL) }
      _ = poll(nil, 0, 1)
    }
  }

  private static func processes() -> [pid_t] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
  }

  /// The variables that a process was started with; none of one that has ended.
  private static func environment(of process: pid_t) -> [[UInt8]] {
    let file = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
    return file.split(separator: 0).map(Array.init)
  }

  /// Sends a line and waits for the next one that comes.
  func ask(_ line: [UInt8], within milliseconds: Int) throws(Silence) -> [UInt8] {
    let deadline = Self.now() + milliseconds
    // What it says before it is asked answers no question, and would shift all later answers.
    guard try isSilent() else { throw .babble }
    try send(line + [UInt8(ascii: "\n")], until: deadline)
    return try receive(until: deadline)
  }

  /// Whether there is nothing to read.
  private func isSilent() throws(Silence) -> Bool {
    guard buffer.isEmpty else { return false }
    var poll = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0 || poll.revents & Int16(POLLIN) == 0
  }

  private func send(_ bytes: [UInt8], until deadline: Int) throws(Silence) {
    guard let input else { throw .ended }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count > 0 {
        sent += count
      } else if count < 0, errno == EAGAIN {
        try wait(for: input, POLLOUT, until: deadline)
      } else if !(count < 0 && errno == EINTR) {
        throw .ended
      }
    }
  }

  private func receive(until deadline: Int) throws(Silence) -> [UInt8] {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        return line
      }
      guard buffer.count <= Self.longestLine else { throw .babble }
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = read(output, &block, block.count)
      if count > 0 {
        buffer += block[..<count]
      } else if count < 0, errno == EAGAIN {
        try wait(for: output, POLLIN, until: deadline)
      } else if !(count < 0 && errno == EINTR) {
        throw .ended
      }
    }
  }

  private func wait(for end: Int32, _ events: Int32, until deadline: Int) throws(Silence) {
    let left = deadline - Self.now()
    guard left > 0 else { throw .timedOut }
    var poll = pollfd(fd: end, events: Int16(events), revents: 0)
    let ready = Glibc.poll(&poll, 1, Int32(clamping: left))
    if ready == 0 { throw .timedOut }
  }

  private static func now() -> Int { Int(SystemClock.monotonic / 1_000_000) }

  deinit {
    if let input { close(input) }
    close(output)
    guard !isOver else { return }
    // A program that lingers would outlive this one.
    end()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
