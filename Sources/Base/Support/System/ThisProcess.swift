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

/// The arguments of this program, after its name.
///
/// Swift looks for them next to the environment, which fails if a preloaded library (`LD_PRELOAD`)
/// has replaced the environment.
/// loaded first (`LD_PRELOAD`) has replaced the environment.
package let programArguments: [String] = {
  let limit = 16 << 20
  guard let bytes = try? contents(ofFile: "/proc/self/cmdline", atMost: limit), !bytes.isEmpty,
    bytes.count < limit
  else { return Array(CommandLine.arguments.dropFirst()) }
  // Each ends with a zero.
  return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst()
    .map { String(decoding: $0, as: UTF8.self) }
}()

/// The name of this machine.
package func hostName() -> String {
  var name = [CChar](repeating: 0, count: 256)
  gethostname(&name, name.count - 1)
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
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

/// Runs a function on a new thread, which ends with it.
package func detachThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  let work = Unmanaged.passRetained(ThreadWork(body: body))
  let result = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, work.toOpaque())
  guard result == 0 else { fatalError("cannot start a thread: \(systemMessage(result))") }
  pthread_detach(thread)
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
}
