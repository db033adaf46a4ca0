import Foundation
import TestSupport

/// A shell in a terminal of tmux, as a person sits at it.
final class TmuxScreen {
  private let folder: TemporaryDirectory
  private let server: RunningProgram

  /// - Parameter environment: variables that the shell gets, beside a UTF-8 locale.
  init(columns: Int, rows: Int, environment: [String: String] = [:]) throws {
    folder = try TemporaryDirectory()
    var variables = [
      "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "",
    ]
    variables.merge(environment) { $1 }
    let assignments = variables.sorted { $0.key < $1.key }.flatMap {
      ["-e", "\($0.key)=\($0.value)"]
    }
    // In the foreground, so that it ends with this value; no configuration of the machine's user,
    // and no end where there is no session yet.
    let configuration = try folder.write("set -s exit-empty off\n", to: "tmux.conf")
    server = try RunningProgram(
      "/usr/bin/tmux", ["-S", folder.path("tmux"), "-f", configuration, "-u", "-D"])
    let (server, folder) = (server, folder)
    guard server.waits(until: { FileManager.default.fileExists(atPath: folder.path("tmux")) })
    else {
      throw TmuxError(message: server.error)
    }
    try tmux(
      ["-u", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + assignments
        + ["env PS1='$ ' TERM=${TERM:-screen} bash --norc --noprofile"])
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let result = try runProgram("/usr/bin/tmux", ["-S", folder.path("tmux")] + arguments)
    guard result.exitCode == 0 else { throw TmuxError(message: "\(arguments): \(result.error)") }
    return result.output
  }

  struct TmuxError: Error { let message: String }

  /// Types a line and Enter.
  func type(_ line: String) throws {
    try tmux(["send-keys", "-l", line])
    try tmux(["send-keys", "Enter"])
  }

  /// Presses keys by tmux's names, such as q, PageDown or C-c.
  func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Sends a signal to the program of a name that was started in this terminal.
  func send(_ signal: String, to program: String) throws {
    let terminal = try property("pane_tty").replacing("/dev/", with: "")
    _ = try runProgram("/usr/bin/pkill", ["-\(signal)", "-t", terminal, "-x", program])
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The lines that are seen.
  var lines: [String] {
    get throws {
      try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
    }
  }

  /// The screen with its colours as escape codes.
  var colours: String { get throws { try tmux(["capture-pane", "-p", "-e"]) } }

  /// A property of the terminal, such as cursor_flag or alternate_on.
  func property(_ name: String) throws -> String {
    try tmux(["display-message", "-p", "#{\(name)}"]).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// Waits until something is seen; false where it is not within `patience`.
  func waits(until condition: ([String]) throws -> Bool) throws -> Bool {
    try eventually { try condition(try lines) }
  }
}
