import Glibc

/// A file that appears under its name only when it is whole.
///
/// It is written beside its place under a temporary name; a stage that fails leaves nothing behind
/// and an older file of that name as it was.
public struct AtomicFile: ~Copyable {
  public let path: String
  public let temporaryPath: String
  private var committed = false

  /// - Throws: a `TraceError` if the folder is missing or may not be written to.
  public init(path: String) throws(TraceError) {
    self.path = path
    var folder = "."
    var name = path
    if let slash = path.lastIndex(of: "/") {
      folder = slash == path.startIndex ? "/" : String(path[..<slash])
      name = String(path[path.index(after: slash)...])
    }
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw TraceError(
        .inputOutput, "cannot write \(path): there is no folder \(folder); make it first")
    }
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw TraceError(.inputOutput, "cannot write \(path): it is a directory; name a file in it")
    }
    guard access(folder, W_OK) == 0 else {
      throw TraceError(.permission, "cannot write \(path): the folder \(folder) is not writable")
    }
    temporaryPath = "\(folder)/.\(name).\(getpid()).partial"
  }

  /// Gives the file its name.
  public mutating func commit() throws(TraceError) {
    guard rename(temporaryPath, path) == 0 else {
      throw TraceError(
        .inputOutput, "cannot name \(path): \(String(cString: strerror(errno)))")
    }
    committed = true
  }

  deinit { if !committed { unlink(temporaryPath) } }
}
