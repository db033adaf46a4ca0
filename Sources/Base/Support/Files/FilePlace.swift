import Glibc

/// Which file it is, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The file that a path leads to; nil where there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// An open file.
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

/// Where a path leads through symbolic links; no file has to be there yet.
package struct FilePlace: Sendable {
  /// The path itself, or what its last symbolic link points to.
  package let path: String
  /// The folder and the name in it, as the path has them.
  let folder: String
  let name: String

  package init(_ given: String) {
    var (path, parts) = (given, Self.parts(given))
    // As many links as the kernel follows; a loop ends at some link, which cannot be opened either.
    for _ in 0..<40 {
      guard !Self.isOfDescriptors(parts.folder), let target = Self.target(of: path) else { break }
      path = target.hasPrefix("/") ? target : "\(parts.folder)/\(target)"
      parts = Self.parts(path)
    }
    self.path = path
    (folder, name) = parts
  }

  /// A Boolean value that is true if it is a descriptor that this program has open, such as
  /// /dev/stdout and /dev/fd/3.
  package var isDescriptor: Bool { Self.isOfDescriptors(folder) }

  /// Returns whether both are one file, also by way of hard links, or will be one when it is
  /// created.
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

  /// The name under which an open file is known; nil where the kernel has none.
  static func openedName(_ descriptor: Int32) -> String? {
    target(of: "/proc/self/fd/\(descriptor)")
  }

  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// `/proc/PID/fd` and `/proc/PID/task/TID/fd`: links there are files that are open, not names.
  private static func isOfDescriptors(_ folder: String) -> Bool {
    let real = real(folder)
    return real.hasPrefix("/proc/") && real.hasSuffix("/fd")
  }

  private static func real(_ folder: String) -> String {
    guard let real = realpath(folder, nil) else { return folder }
    defer { free(real) }
    return String(cString: real)
  }
}
