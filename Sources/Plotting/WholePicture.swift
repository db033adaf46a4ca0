import Glibc

/// Writes a file that appears under its name only when it is whole.
///
/// It is written beside its place under a temporary name. What fails leaves nothing behind, and an
/// older file of that name as it was.
func writeWhole(_ bytes: [UInt8], to path: String) throws(PlottingError) {
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
    throw PlottingError(.inputOutput, "cannot write \(path): it is not a file; name another")
  }
  let slash = path.lastIndex(of: "/")
  let folder = slash.map { path[...$0] } ?? ""
  let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
  let temporary = "\(folder).\(name).\(getpid()).partial"
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else {
    let isForbidden = [EACCES, EPERM, EROFS].contains(errno)
    throw PlottingError(
      isForbidden ? .permission : .inputOutput,
      "cannot write \(path): \(systemMessage(errno)); choose a folder you may write to")
  }
  var isNamed = false
  defer { if !isNamed { unlink(temporary) } }
  do {
    defer { close(descriptor) }
    try writeAll(bytes, to: descriptor, named: path)
    // Some disks say only now that they are full.
    guard fsync(descriptor) == 0 else { throw cannotWrite(path) }
  }
  guard rename(temporary, path) == 0 else { throw cannotWrite(path) }
  isNamed = true
}

/// Writes all bytes to an open file; `name` is what errors call it.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(PlottingError) {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw cannotWrite(name) }
    written += count
  }
}

private func cannotWrite(_ name: String) -> PlottingError {
  PlottingError(
    .inputOutput,
    "cannot write \(name): \(systemMessage(errno)); free some space or write elsewhere")
}
