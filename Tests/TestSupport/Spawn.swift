import Foundation
import Glibc
import Support

/// Starts a program with three standard files and no other, in a process group of its own.
///
/// No signal is blocked or ignored in it: threads that run tests block signals, and a program would
/// inherit that and outlive SIGTERM.
func spawn(
  _ path: String, _ arguments: [String], environment: [String: String], directory: String? = nil,
  files: [Int32]
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (number, file) in files.enumerated() {
    posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
  }
  keepOpenFiles(from: &actions)

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var (all, none) = (sigset_t(), sigset_t())
  sigfillset(&all)
  sigemptyset(&none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setpgroup(&attributes, 0)
  posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

  // Swift does not see the file action that changes the directory.
  let words = directory.map { ["/usr/bin/env", "-C", $0, path] + arguments } ?? [path] + arguments
  var argv = words.map { strdup($0) } + [nil]
  var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for text in argv + variables { free(text) } }
  var process: pid_t = 0
  let problem = posix_spawn(&process, words[0], &actions, &attributes, &argv, &variables)
  guard problem == 0 else {
    throw CocoaError(
      .executableLoad, userInfo: ["path": path, "error": String(cString: strerror(problem))])
  }
  return process
}
