package import Glibc

/// A temporary file next to the place of the final one.
///
/// Its name is short, so that it fits any limit, and cannot be guessed, so that nothing can be
/// planted under it. A shared lock shows that its writer is alive; the file of a killed writer has
/// no lock, and the next writer in the folder removes it.
package struct TemporaryFile: ~Copyable {
  package let path: String
  private var descriptor: Int32

  /// Creates an empty file.
  ///
  /// - Parameter mode: The mode as for `open`, reduced by the umask.
  /// - Throws: `RSSIError` about `target`.
  package init(in folder: String, mode: mode_t, for target: String) throws(RSSIError) {
    removeAbandoned(in: folder)
    while true {
      let path = "\(folder)/\(TemporaryName.random())"
      UnfinishedFiles.add(path)
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      let reason = errno
      if descriptor >= 0, Self.hold(descriptor) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      UnfinishedFiles.remove(path)
      // Another program took it for abandoned before it was locked; the next one has another name.
      if descriptor >= 0 {
        unlink(path)
        close(descriptor)
      } else if reason != EEXIST, reason != EINTR {
        let isForbidden = [EACCES, EPERM, EROFS].contains(reason)
        throw RSSIError(
          isForbidden ? .permission : .inputOutput,
          "cannot write \(target): \(systemMessage(reason))")
      }
    }
  }

  deinit { if descriptor >= 0 { discard() } }

  var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

  /// Applies the owner and the permissions of another file, as far as the user may.
  func inherit(from old: stat) {
    var mode = old.st_mode & 0o777
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { return }
    if own.st_gid != old.st_gid, fchown(descriptor, uid_t.max, old.st_gid) != 0 {
      // The permissions of the old group must not apply to another group.
      mode &= ~0o070 | (mode & 0o007) << 3
    }
    if own.st_uid != old.st_uid { _ = fchown(descriptor, old.st_uid, gid_t.max) }
    _ = fchmod(descriptor, mode)
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8], for target: String) throws(RSSIError) {
    try writeAll(bytes, to: descriptor, path: target)
  }

  /// Flushes the file to the disk.
  func synchronise(for target: String) throws(RSSIError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw cannotName(target) }
  }

  /// Renames the file to its final name.
  ///
  /// - Returns: The descriptor, which the caller closes.
  consuming func rename(to target: String) throws(RSSIError) -> Int32 {
    guard FileIdentity(path: path) == identity else {
      throw RSSIError(
        .inputOutput, "cannot write \(target): another program replaced \(path); run again")
    }
    guard Glibc.rename(path, target) == 0 else { throw cannotName(target) }
    UnfinishedFiles.remove(path)
    let open = descriptor
    descriptor = -1
    return open
  }

  private func discard() {
    unlink(path)
    UnfinishedFiles.remove(path)
    close(descriptor)
  }

  private static func hold(_ descriptor: Int32) -> Bool {
    var status = stat()
    return shareLock(descriptor) && fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }
}

private func cannotName(_ target: String) -> RSSIError {
  RSSIError(.inputOutput, "cannot write \(target): \(systemMessage(errno))")
}

/// The names of temporary files: `.rssi-MACHINE-RANDOM.partial`.
private enum TemporaryName {
  static let suffix = ".partial"

  /// The prefix of names of this machine. Locks of other machines on a shared disk may be invisible
  /// here, so their files are left alone.
  static let prefix: String = {
    // FNV-1a, 32 bits.
    let hash = hostName().utf8.reduce(0x811C_9DC5 as UInt32) { hash, byte in
      (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    return ".rssi-\(String(hash, radix: 36))-"
  }()

  static func random() -> String {
    prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36) + suffix
  }
}

/// Removes temporary files in a folder whose writers have ended.
private func removeAbandoned(in folder: String) {
  for name in entries(ofFolder: folder)
  where name.hasPrefix(TemporaryName.prefix) && name.hasSuffix(TemporaryName.suffix) {
    let path = "\(folder)/\(name)"
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { continue }
    defer { close(descriptor) }
    if lockForWriting(descriptor), FileIdentity(path: path) == FileIdentity(descriptor: descriptor)
    {
      unlink(path)
    }
  }
}

/// A folder for temporary files, which is removed at the end with all that is in it and, if it is
/// empty, when the program is interrupted.
package struct TemporaryFolder: ~Copyable {
  package let path: String

  /// Creates a folder with a name that cannot be guessed.
  ///
  /// - Parameter place: The folder in which it is created; `nil` for that of temporary files.
  package init(in place: String? = nil) throws(RSSIError) {
    let place = place ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(place)/.rssi-XXXXXX\0".utf8)
    guard mkdtemp(&name) != nil else {
      throw RSSIError(
        errno == EACCES || errno == EROFS ? .permission : .inputOutput,
        "cannot make a temporary folder: \(systemMessage(errno))", in: place,
        advice: "free some space in it, or change its mode")
    }
    path = String(decoding: name.dropLast(), as: UTF8.self)
    UnfinishedFiles.add(path)
  }

  deinit {
    remove(path)
    UnfinishedFiles.remove(path)
  }

  private func remove(_ path: String) {
    // A link is removed, not what it refers to.
    guard linkTarget(path) == nil, isFolder(path) else {
      unlink(path)
      return
    }
    for name in entries(ofFolder: path) where name != "." && name != ".." {
      remove("\(path)/\(name)")
    }
    rmdir(path)
  }
}
