internal import CGlibc
package import Glibc

/// Starts a program in its own process group, which inherits no files of this program except the
/// standard streams.
///
/// - Parameters:
///   - words: The program's path, followed by its arguments.
///   - actions: The setup of its standard streams.
///   - process: The id of the new process.
/// - Returns: 0, or an `errno` value.
func spawn(
  _ words: [String], environment: [String: String],
  _ actions: inout posix_spawn_file_actions_t, _ process: inout pid_t
) -> Int32 {
  keepOpenFiles(from: &actions)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // The child would inherit ignored signals: a broken pipe should end it as usual.
  var defaults = sigset_t()
  sigemptyset(&defaults)
  sigaddset(&defaults, SIGPIPE)
  posix_spawnattr_setsigdefault(&attributes, &defaults)
  // Threads that work in parallel block signals, which the child must not.
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
  // A separate group, so that all descendants of a shell end with it.
  posix_spawnattr_setpgroup(&attributes, 0)
  let arguments = strings(words)
  let variables = strings(environment.map { "\($0)=\($1)" })
  defer { for text in arguments + variables { free(text) } }
  return posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
}

/// Keeps all files and sockets, some of which are locked, from the new program, except its standard
/// streams.
///
/// - Parameter actions: The setup of its standard streams, without later actions.
package func keepOpenFiles(from actions: inout posix_spawn_file_actions_t) {
  _ = cglibc_keep_standard_streams_only(&actions)
}

/// Returns texts as a `nil`-terminated C array; the caller frees them.
private func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
  texts.map { strdup($0) } + [nil]
}

func cannotStart(_ command: String, _ reason: Int32) -> RSSIError {
  RSSIError(.failed, "cannot start \(command): \(systemMessage(reason))")
}

/// The environment variables that hold secrets.
package enum SecretVariable {
  /// The password for the MQTT broker.
  package static let brokerPassword = "RSSI_MQTT_PASSWORD"
  /// The password for the NATS server.
  package static let natsPassword = "RSSI_NATS_PASSWORD"
  /// The token for a registry of beacons.
  package static let registryToken = "RSSI_REGISTRY_TOKEN"

  static let all = [brokerPassword, natsPassword, registryToken]
}

/// Returns the environment for child programs: that of this one without the secrets.
package func childEnvironment() -> [String: String] {
  processEnvironment().filter { !SecretVariable.all.contains($0.key) }
}

/// A program in its own process group, whose output is discarded.
package final class BackgroundProgram {
  private let id: pid_t
  private var isOver = false

  /// - Parameter words: The program's path, followed by its arguments.
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

  /// A Boolean value that is true if it has not ended.
  package var isRunning: Bool {
    var status: Int32 = 0
    if !isOver, waitpid(id, &status, WNOHANG) != 0 { isOver = true }
    return !isOver
  }
}
