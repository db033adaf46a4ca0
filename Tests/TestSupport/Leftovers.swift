import Foundation
import Glibc

/// The resources that must not outlive the tests: groups of processes and temporary folders.
///
/// A separate shell learns of each. Its standard input ends when the test process does, by
/// a crash or SIGKILL too, and it then kills and removes what is left.
enum Leftovers {
  private static let shell: Int32 = {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let script = """
      declare -A left
      while IFS= read -r line; do
        case $line in
          +*) left[${line:1}]=1 ;;
          -*) unset "left[${line:1}]" ;;
        esac
      done
      for item in "${!left[@]}"; do [[ $item == /* ]] || kill -KILL -- "-$item"; done
      for item in "${!left[@]}"; do [[ $item != /* ]] || rm -rf -- "$item"; done
      """
    _ = try? spawn(
      "/bin/bash", ["-c", script], environment: ProcessInfo.processInfo.environment,
      files: [ends[0], null, null])
    close(ends[0])
    close(null)
    return ends[1]
  }()

  /// Adds the group of a process, by its number, or a folder, by its path.
  static func add(_ item: String) { tell("+\(item)\n") }
  static func remove(_ item: String) { tell("-\(item)\n") }

  private static func tell(_ line: String) {
    // Not `write`: where the shell has been killed, that would end the tests by SIGPIPE.
    _ = line.utf8CString.withUnsafeBytes {
      Glibc.send(shell, $0.baseAddress, $0.count - 1, Int32(MSG_NOSIGNAL))
    }
  }
}
