import Glibc
import Support
import Synchronization

/// The running program and its command line, which its files name as their origin.
public struct ToolIdentity: Sendable {
  /// The version of the program.
  public var version: String
  /// The program with its arguments.
  public var commandLine: String

  /// Creates an identity.
  public init(version: String, commandLine: String) {
    (self.version, self.commandLine) = (version, commandLine)
  }

  /// Creates the identity of a program from its arguments, the first of which is its name;
  /// arguments are quoted as a shell requires.
  public init(version: String, called words: [String]) {
    self.init(version: version, commandLine: words.map(\.shellWord).joined(separator: " "))
  }

  /// The identity of the running program, of an unknown version.
  public static var current: ToolIdentity {
    ToolIdentity(version: "unknown", called: Support.commandLine)
  }

  /// Returns the provenance of a stage that reads these files; the standard input has no digest.
  ///
  /// - Throws: `RSSIError` for a file that cannot be read.
  public func provenance(of stage: String, inputs: [String]) throws -> Provenance {
    Provenance(
      stage: stage, toolVersion: version, commandLine: commandLine,
      inputs: try InputDigests(of: inputs).wait())
  }
}

/// The digests of files, computed on another core while the program reads them.
package final class InputDigests: Sendable {
  private let entries = Mutex<Result<[Provenance.Input], any Error>>(.success([]))
  private let work = BackgroundWork()

  /// - Throws: `RSSIError` at once for a file that may not be read.
  package init(of paths: [String]) throws {
    let files = paths.filter { $0 != "-" }.flatMap(tableFiles)
    for path in files where access(path, R_OK) != 0 { throw RSSIError.opening(path, errno) }
    work.start { [self] in
      let result = Result { try files.map { try digest($0) } }
      entries.withLock { $0 = result }
    }
  }

  /// Returns the digests, in the order of the files.
  package func wait() throws -> [Provenance.Input] {
    work.wait()
    return try entries.withLock { $0 }.get()
  }
}

private func digest(_ path: String) throws -> Provenance.Input {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { throw RSSIError.opening(path, errno) }
  defer { close(descriptor) }
  var hash = SHA256()
  var bytes: UInt64 = 0
  // Small enough for the processor's second-level cache.
  var block = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = read(descriptor, &block, block.count)
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else {
      throw RSSIError.readFailed(path: path, reason: systemMessage(errno))
    }
    if count == 0 { break }
    hash.update(block.span.extracting(..<count))
    bytes += UInt64(count)
  }
  return Provenance.Input(name: path, sha256: hash.hexadecimalDigest(), bytes: bytes)
}
