import Glibc

/// The bytes of a file that are on the disk; 0 where there is no such file.
package func fileSize(_ path: String) -> UInt64 {
  var status = stat()
  return stat(path, &status) == 0 ? UInt64(status.st_blocks) * 512 : 0
}

/// The length of a file in bytes; 0 where there is no such file, and for the standard input.
package func fileLength(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// The length of an open file in bytes; nil where it is not a regular file.
package func regularFileLength(_ descriptor: Int32) -> Int? {
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return Int(status.st_size)
}

/// Whether a path leads to a folder.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Whether only the owner of an open file may read and write it.
package func isPrivate(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0
}

/// Makes a folder unless it exists.
///
/// - Throws: `RSSIError` where it cannot be made.
package func makeFolder(_ path: String) throws(RSSIError) {
  if mkdir(path, 0o777) != 0, errno != EEXIST {
    throw RSSIError(
      errno == EACCES || errno == EPERM ? .permission : .inputOutput,
      "cannot make the folder \(path): \(systemMessage(errno))")
  }
}
