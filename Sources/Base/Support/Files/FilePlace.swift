import Glibc

/// The identity of a file, independent of its name.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Creates the identity of the file at a path, or returns `nil` if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the identity of an open file.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// The target of a path through symbolic links; the file need not exist yet.
package struct FilePlace: Sendable {
  /// The path itself, or the target of its last symbolic link.
  package let path: String
  /// The folder and the name in it, as written in the path.
  package let folder: String
  let name: String

  package init(_ given: String) {
    var (path, parts) = (given, Self.parts(given))
    // The kernel follows as many links; a loop ends at some link, which cannot be opened either.
    for _ in 0..<40 {
      guard !Self.isOfDescriptors(parts.folder), let target = linkTarget(path) else { break }
      path = target.hasPrefix("/") ? target : "\(parts.folder)/\(target)"
      parts = Self.parts(path)
    }
    self.path = path
    (folder, name) = parts
  }

  /// A Boolean value that is true if it is a descriptor that this program has open, such as
  /// /dev/stdout and /dev/fd/3.
  package var isDescriptor: Bool { Self.isOfDescriptors(folder) }

  /// Returns a Boolean value that is true if both are one file, also through hard links, or will be
  /// one after creation.
  package func isSame(as other: FilePlace) -> Bool {
    if let mine = FileIdentity(path: path), let its = FileIdentity(path: other.path) {
      return mine == its
    }
    return name == other.name && Self.real(folder) == Self.real(other.folder)
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (
      slash == path.startIndex ? "/" : String(path[..<slash]),
      String(path[path.index(after: slash)...])
    )
  }

  /// Returns the name of an open file, or `nil` if the kernel has none.
  static func openedName(_ descriptor: Int32) -> String? {
    linkTarget("/proc/self/fd/\(descriptor)")
  }

  /// Returns a Boolean value that is true for `/proc/PID/fd` and `/proc/PID/task/TID/fd`, in which
  /// links are open files, not names.
  private static func isOfDescriptors(_ folder: String) -> Bool {
    let real = real(folder)
    return real.hasPrefix("/proc/") && real.hasSuffix("/fd")
  }

  /// Returns a path without symbolic links; the path itself if it does not exist.
  static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

/// Returns the target of a symbolic link; `nil` for another file.
package func linkTarget(_ path: String) -> String? {
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &buffer, buffer.count)
  return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
}
