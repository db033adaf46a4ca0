internal import CArguments
internal import CGlibc
// The program never changes its environment variables.
@preconcurrency import Glibc

/// The environment variables of this program.
package func processEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  var next = environ
  while let text = next.pointee {
    let variable = String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if variable.count == 2 { variables[String(variable[0])] = String(variable[1]) }
    next += 1
  }
  return variables
}

/// The folder for temporary files.
package var temporaryFolder: String { processEnvironment()["TMPDIR"] ?? "/tmp" }

/// The words of the command line, the first of which is the name of this program.
///
/// They come from the C library. Swift's `CommandLine` looks for them next to the environment,
/// which a preloaded library (`LD_PRELOAD`) may have replaced, and in /proc, which a sandbox may
/// lack.
package let commandLine = (0..<carguments_count()).map { String(cString: carguments_word($0)) }

/// The arguments of this program, after its name.
package let programArguments = Array(commandLine.dropFirst())

/// The path of this program's executable.
package var programPath: String {
  if let path = linkTarget("/proc/self/exe") { return path }
  // Without /proc, the path by which the kernel started it.
  let started = UnsafePointer<CChar>(bitPattern: getauxval(UInt(AT_EXECFN)))
  return FilePlace.real(started.map { String(cString: $0) } ?? "rssi")
}

/// The name of this machine.
package func hostName() -> String {
  var name = [UInt8](repeating: 0, count: 256)
  gethostname(&name, name.count - 1)
  return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
}

/// Raises the limit of open files by a number, as far as the system permits; the usual limit is
/// 1024.
package func allowOpenFiles(_ count: Int) {
  let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  guard getrlimit(files, &limit) == 0 else { return }
  // Some are already open, and libraries open more.
  let wanted = rlim_t(count + 64)
  guard limit.rlim_cur < wanted else { return }
  limit.rlim_cur = min(wanted, limit.rlim_max)
  setrlimit(files, &limit)
}
