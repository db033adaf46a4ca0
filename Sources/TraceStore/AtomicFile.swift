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
    let place = try writablePlace(path)
    self.path = place.path
    temporaryPath = "\(place.folder)/.\(place.name).\(getpid()).partial"
    UnfinishedFiles.add(temporaryPath)
  }

  /// Gives the file its name.
  ///
  /// - Throws: also where a capture began to write a file of that name meanwhile.
  public mutating func commit() throws(TraceError) {
    try requireNoWriter(path)
    guard rename(temporaryPath, path) == 0 else {
      throw TraceError(
        .inputOutput, "cannot name \(path): \(String(cString: strerror(errno)))")
    }
    committed = true
    UnfinishedFiles.remove(temporaryPath)
  }

  deinit {
    guard !committed else { return }
    unlink(temporaryPath)
    UnfinishedFiles.remove(temporaryPath)
  }
}

/// Refuses a file that a capture is writing, or that is being packed.
private func requireNoWriter(_ path: String) throws(TraceError) {
  guard !isBeingWritten(path) else {
    throw TraceError(
      .inputOutput,
      "cannot write \(path): a running capture is writing or packing it; name another file")
  }
}

/// Where a file will be, once it is sure that it can be there.
private func writablePlace(
  _ given: String
) throws(TraceError) -> (path: String, folder: String, name: String) {
  guard !given.isEmpty else {
    throw TraceError(.inputOutput, "the output has no name: give one with -o")
  }
  // A link keeps pointing where it did: the file behind it is the one replaced.
  let path = resolved(given)
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
  if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
    throw TraceError(
      .inputOutput,
      status.st_mode & S_IFMT == S_IFDIR
        ? "cannot write \(path): it is a directory; name a file in it"
        : "cannot write \(path): it is a device or a pipe, not a file; - is the standard output")
  }
  try requireNoWriter(path)
  guard access(folder, W_OK) == 0 else {
    throw TraceError(.permission, "cannot write \(path): the folder \(folder) is not writable")
  }
  return (path, folder, name)
}

/// The file that a path leads to through symbolic links; the path itself where there is none.
private func resolved(_ path: String) -> String {
  var status = stat()
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
    let target = realpath(path, nil)
  else { return path }
  defer { free(target) }
  return String(cString: target)
}
