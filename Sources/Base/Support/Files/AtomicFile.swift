import Glibc

/// A file that appears under its name only when it is complete.
///
/// It is written under a temporary name next to its place. A stage that fails leaves nothing behind
/// and does not change an older file of that name. A new file replaces an older one with the same
/// permissions and, as far as the user may set it, the same owner; hard links to the older file
/// keep its content.
package struct AtomicFile: ~Copyable {
  package let path: String
  /// The path to write to: an empty file, to be opened and truncated.
  package let temporaryPath: String
  /// The temporary file; `nil` after the commit.
  private var temporary: TemporaryFile?

  /// - Throws: `RSSIError` if the folder is missing or not writable, or an older file may not be
  ///   replaced.
  package init(path: String) throws(RSSIError) {
    let (place, old) = try writablePlace(path)
    // A private file is private while it is written, too.
    let temporary = try TemporaryFile(
      in: place.folder, mode: old.map { $0.st_mode & 0o777 | 0o600 } ?? 0o666, for: place.path)
    self.path = place.path
    temporaryPath = temporary.path
    self.temporary = .some(temporary)
  }

  /// Throws if `init(path:)` would throw for a path, without creating anything.
  ///
  /// It waits for a program that is about to replace the file by its packed form.
  package static func check(path: String) throws(RSSIError) {
    if isBeingWritten(path) { _ = RewriteTurn(path) }
    _ = try writablePlace(path)
  }

  /// Renames the file to its final name after its content is on the disk.
  ///
  /// - Throws: `RSSIError`, also if a capture has meanwhile started to write a file of that name.
  package mutating func commit() throws(RSSIError) { _ = try commitOpen() }

  /// Commits like `commit()`, and returns the file, which stays open.
  package mutating func commitOpen() throws(RSSIError) -> LiveFile {
    try temporary?.synchronise(for: path)
    let file = try giveName()
    file.endWriting()
    synchroniseFolder(of: path)
    return file
  }

  /// Renames the file to its final name while it is still being written, which a lock shows from
  /// now on; the content so far is on the disk.
  ///
  /// - Parameter other: The file whose owner and permissions it inherits; `nil` for those of an
  ///   older file.
  package mutating func commitLive(
    permissionsOf other: LiveFile? = nil
  ) throws(RSSIError) -> LiveFile {
    try temporary?.synchronise(for: path)
    let file = try giveName(permissionsOf: other)
    lockForWriting(file.descriptor)
    synchroniseFolder(of: path)
    return file
  }

  /// Appends bytes to the file before the commit.
  package mutating func write(_ bytes: [UInt8]) throws(RSSIError) {
    try temporary?.write(bytes, for: path)
  }

  /// The identity of the file; `nil` after the commit.
  package var identity: FileIdentity? {
    switch temporary {
    case .some(let temporary): temporary.identity
    case .none: nil
    }
  }

  /// Throws if a descriptor is not of this file.
  package func requireSame(as descriptor: Int32) throws(RSSIError) {
    guard let identity, identity == FileIdentity(descriptor: descriptor) else {
      throw RSSIError(
        .inputOutput, "cannot write \(path): another program replaced \(temporaryPath); run again")
    }
  }

  private mutating func giveName(
    permissionsOf other: LiveFile? = nil
  ) throws(RSSIError) -> LiveFile {
    try requireNoWriter(path)
    guard let temporary = temporary.take() else {
      throw RSSIError(.failed, "\(path) is already committed")
    }
    var old = stat()
    let isKnown = other.map { fstat($0.descriptor, &old) } ?? stat(path, &old)
    if isKnown == 0 { temporary.inherit(from: old) }
    return LiveFile(path: path, descriptor: try temporary.rename(to: path))
  }
}

/// Flushes the names in the folder of a file to the disk, so that they survive a power failure; not
/// every file system supports it.
package func synchroniseFolder(of path: String) {
  let descriptor = open(FilePlace(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  fsync(descriptor)
  close(descriptor)
}

/// Throws if a capture is writing the file, or it is being packed.
private func requireNoWriter(_ path: String) throws(RSSIError) {
  guard !isBeingWritten(path) else {
    throw RSSIError(
      .inputOutput,
      "cannot write \(path): a running capture is writing or packing it; name another file")
  }
}

/// Returns the final place of a file, with the older one there, after checking that it is writable.
private func writablePlace(
  _ given: String
) throws(RSSIError) -> (place: FilePlace, old: stat?) {
  guard !given.isEmpty else {
    throw RSSIError(.inputOutput, "no output name: give one with -o")
  }
  // A link keeps its target: the file behind it is replaced.
  let place = FilePlace(given)
  guard !place.isDescriptor else {
    throw RSSIError(
      .inputOutput,
      "cannot write \(given): this is an open descriptor; give the name of a file")
  }
  let (path, folder) = (place.path, place.folder)
  guard isFolder(folder) else {
    throw RSSIError(
      .inputOutput, "cannot write \(path): the folder \(folder) does not exist; create it first")
  }
  var status = stat()
  let isThere = stat(path, &status) == 0
  if isThere, status.st_mode & S_IFMT != S_IFREG {
    throw RSSIError(
      .inputOutput,
      status.st_mode & S_IFMT == S_IFDIR
        ? "cannot write \(path): this is a directory; name a file in it"
        : "cannot write \(path): this is a device or a pipe; name a file")
  }
  try requireNoWriter(path)
  guard access(folder, W_OK) == 0 else {
    throw RSSIError(.permission, "cannot write \(path): the folder \(folder) is not writable")
  }
  guard !isThere || access(path, W_OK) == 0 else {
    throw RSSIError(
      .permission,
      "cannot replace \(path): the file is write-protected; run chmod u+w, or name another file")
  }
  return (place, isThere ? status : nil)
}
