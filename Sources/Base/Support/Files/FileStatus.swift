import Glibc

/// Returns the allocated size of a file in bytes; 0 if it does not exist.
package func fileSize(_ path: String) -> UInt64 {
  var status = stat()
  return stat(path, &status) == 0 ? UInt64(status.st_blocks) * 512 : 0
}

/// Returns the length of a file in bytes; 0 if it does not exist, and for the standard input.
package func fileLength(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Returns the length of an open file in bytes, or `nil` if it is not a regular file.
package func regularFileLength(_ descriptor: Int32) -> Int? {
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return Int(status.st_size)
}

/// Returns a Boolean value that is true if a path leads to a folder.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns a Boolean value that is true if only the owner of an open file may read and write it.
package func isPrivate(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0
}

/// Returns the files of a table that is named by several, joined by `+`; a file with a `+` in its
/// own name is one.
package func tableFiles(_ path: String) -> [String] {
  let names = path.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
  guard names.count > 1, !names.contains(""), access(path, F_OK) != 0 else { return [path] }
  return names
}

/// Throws if a folder exists but is not writable, or cannot be created.
package func requireFolder(_ path: String) throws(RSSIError) {
  let name = path.hasSuffix("/") ? String(path.dropLast()) : path
  var status = stat()
  let isThere = stat(name, &status) == 0
  guard !isThere || status.st_mode & S_IFMT == S_IFDIR else {
    throw RSSIError(.inputOutput, "this is not a folder", in: path, advice: "name a folder")
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
      advice: "change its mode, or name another folder")
  }
}

/// A lock on the folder of a file, for which other processes of this program wait: names that are
/// chosen in it stay free until they are used.
///
/// It proceeds without a lock if the file system does not support such locks, and after two
/// seconds, because every user who may read the folder can hold it.
package final class FolderHold {
  private let descriptor: Int32
  /// A Boolean value that is true unless another program held the folder for two seconds.
  package let isHeld: Bool

  /// - Parameter path: The path of a file in the folder.
  package init(of path: String) {
    descriptor = open(FilePlace(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var attempts = 200
    var isHeld = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    while !isHeld, attempts > 0, errno == EWOULDBLOCK || errno == EINTR {
      usleep(10_000)
      attempts -= 1
      isHeld = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
    self.isHeld = isHeld
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Creates a folder unless it exists.
///
/// - Throws: `RSSIError` if it cannot be created.
package func makeFolder(_ path: String) throws(RSSIError) {
  if mkdir(path, 0o777) != 0, errno != EEXIST {
    throw RSSIError(
      errno == EACCES || errno == EPERM ? .permission : .inputOutput,
      "cannot make the folder \(path): \(systemMessage(errno))")
  }
}

/// Creates the folders above a file; writing the file reports failures.
package func makeFolders(of path: String) {
  var folder = path.hasPrefix("/") ? "" : "."
  for part in path.split(separator: "/").dropLast() {
    folder += "/\(part)"
    mkdir(folder, 0o777)
  }
}
