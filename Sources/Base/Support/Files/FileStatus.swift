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

/// Returns whether a path leads to a folder.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns whether only the owner of an open file may read and write it.
package func isPrivate(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0
}

/// Refuses a folder that exists and cannot be written in, or that cannot be made.
package func requireFolder(_ path: String) throws(RSSIError) {
  let name = path.hasSuffix("/") ? String(path.dropLast()) : path
  var status = stat()
  let isThere = stat(name, &status) == 0
  guard !isThere || status.st_mode & S_IFMT == S_IFDIR else {
    throw RSSIError(.inputOutput, "this is not a folder", in: path, advice: "name another one")
  }
  let place = isThere ? path : FilePlace(name).folder
  guard isFolder(place) else {
    throw RSSIError(
      .inputOutput, "the folder \(place) does not exist", in: path, advice: "create it first")
  }
  guard access(place, W_OK | X_OK) == 0 else {
    throw RSSIError(
      errno == EACCES || errno == EPERM ? .permission : .inputOutput,
      "cannot write in the folder \(place): \(systemMessage(errno))", in: path,
      advice: "change its mode, or name another one")
  }
}

/// A hold on the folder of a file, which another program of this kind waits for: names that are
/// chosen in it stay free until they are taken.
///
/// Goes without where the file system has no such locks, and after two seconds: every user who may
/// read the folder can hold it.
package final class FolderHold {
  private let descriptor: Int32

  /// - Parameter path: of a file in it.
  package init(of path: String) {
    descriptor = open(FilePlace(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var attempts = 200
    while descriptor >= 0, attempts > 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0,
      errno == EWOULDBLOCK || errno == EINTR
    {
      usleep(10_000)
      attempts -= 1
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
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
