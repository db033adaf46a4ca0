import Glibc

/// A program that works on its own, in a process group of its own; what it prints is discarded.
package final class BackgroundProgram {
  private let id: pid_t
  private var isOver = false

  /// - Parameter words: the program's path, and its arguments.
  /// - Throws: `RSSIError` if the system cannot start another program.
  package init(_ words: [String], environment: [String: String]) throws(RSSIError) {
    var id: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let result = spawn(words, environment: environment, &actions, &id)
    guard result == 0 else { throw cannotStart(words[0], result) }
    self.id = id
  }

  /// Whether it has not ended yet.
  package var isRunning: Bool {
    var status: Int32 = 0
    if !isOver, waitpid(id, &status, WNOHANG) != 0 { isOver = true }
    return !isOver
  }
}
