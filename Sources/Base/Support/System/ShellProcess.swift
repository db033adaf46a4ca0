import Glibc

/// A shell command in its own process group, with pipes to it and from it.
///
/// Its environment, which all its descendants inherit, contains a mark by which they are found.
struct ShellProcess {
  let id: pid_t
  /// The pipe to the command's input.
  let input: Int32
  /// The pipe from the command's output.
  let output: Int32
  /// The value of the variable `RSSI_CHILD`.
  private let mark: String

  private static let markName = "RSSI_CHILD"

  /// - Parameters:
  ///   - command: The command for the shell; its standard error is this program's.
  ///   - answers: A Boolean value that is true if its standard output is read; otherwise it is
  ///     discarded.
  /// - Throws: `RSSIError` if the system cannot start another program.
  init(_ command: String, answers: Bool) throws(RSSIError) {
    let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    self.mark = mark
    (id, input, output) = try Self.start(command, answers, mark)
  }

  private static func start(
    _ command: String, _ answers: Bool, _ mark: String
  ) throws(RSSIError) -> (id: pid_t, input: Int32, output: Int32) {
    var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&toChild) == 0 else { throw cannotStart(command, errno) }
    guard pipe(&fromChild) == 0 else {
      let reason = errno
      for end in toChild { close(end) }
      throw cannotStart(command, reason)
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
    var process: pid_t = 0
    let result = spawn(
      ["/bin/sh", "-c", command],
      environment: childEnvironment().merging([markName: mark]) { $1 }, &actions, &process)
    close(toChild[0])
    close(fromChild[1])
    guard result == 0 else {
      close(toChild[1])
      close(fromChild[0])
      throw cannotStart(command, result)
    }
    return (process, toChild[1], fromChild[0])
  }

  /// Kills the process and all its descendants.
  func kill() {
    Glibc.kill(-id, SIGKILL)
    // Descendants in other sessions have the mark. A process that starts another one during the
    // search is found in the next round. Without /proc only the group ends.
    let entry = Array("\(Self.markName)=\(mark)".utf8)
    for _ in 0..<100 {
      let found = Self.processes().filter { Self.environment(of: $0).contains(entry) }
      guard !found.isEmpty else { return }
      for process in found { Glibc.kill(process, SIGKILL) }
      _ = poll(nil, 0, 1)
    }
  }

  private static func processes() -> [pid_t] {
    entries(ofFolder: "/proc").compactMap { pid_t($0) }
  }

  /// Returns the variables that a process was started with; none if it has ended.
  private static func environment(of process: pid_t) -> [[UInt8]] {
    let bytes = try? contents(ofFile: "/proc/\(process)/environ", atMost: .max)
    return bytes?.split(separator: 0).map(Array.init) ?? []
  }
}
