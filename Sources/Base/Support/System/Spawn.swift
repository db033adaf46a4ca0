internal import CGlibc
package import Glibc

/// Starts a program in a process group of its own, which gets no file of this program's but its
/// standard streams.
///
/// - Parameters:
///   - words: the program's path, and its arguments.
///   - actions: what its standard streams are.
///   - process: the id of the new process.
/// - Returns: 0, or a number of `errno`.
func spawn(
  _ words: [String], environment: [String: String],
  _ actions: inout posix_spawn_file_actions_t, _ process: inout pid_t
) -> Int32 {
  keepOpenFiles(from: &actions)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // The child would also ignore what this program ignores: a broken pipe ends it as usual.
  var defaults = sigset_t()
  sigemptyset(&defaults)
  sigaddset(&defaults, SIGPIPE)
  posix_spawnattr_setsigdefault(&attributes, &defaults)
  // Threads that work in parallel block signals, which the child should get.
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
  // A separate group, so that all that a shell starts ends with it.
  posix_spawnattr_setpgroup(&attributes, 0)
  let arguments = strings(words)
  let variables = strings(environment.map { "\($0)=\($1)" })
  defer { for text in arguments + variables { free(text) } }
  return posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
}

/// Keeps all files and sockets, some of which are locked, from the program that starts, except its
/// standard streams.
///
/// - Parameter actions: what its standard streams are, and nothing after this.
package func keepOpenFiles(from actions: inout posix_spawn_file_actions_t) {
  _ = cglibc_keep_standard_streams_only(&actions)
}

/// Texts as C has them, ended by nil; the caller frees them.
private func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
  texts.map { strdup($0) } + [nil]
}

func cannotStart(_ command: String, _ reason: Int32) -> RSSIError {
  RSSIError(.failed, "cannot start \(command): \(systemMessage(reason))")
}
