import Glibc

/// A file that appears under its name only when it is whole.
///
/// It is written beside its place under a temporary name; a stage that fails leaves nothing behind
/// and an older file of that name as it was. An older file is replaced by a new one with the same
/// permissions and, as far as the user may set it, the same owner; hard links to it keep the old
/// content.
package struct AtomicFile: ~Copyable {
  package let path: String
  /// Where to write: an empty file, to be opened and truncated.
  package let temporaryPath: String
  /// Nil once it has its name.
  private var temporary: TemporaryFile?

  /// - Throws: a `RSSIError` if the folder is missing or may not be written to, or if an older
  ///   file may not be replaced.
  package init(path: String) throws(RSSIError) {
    let (place, old) = try writablePlace(path)
    // A private file is private while it is written, too.
    let temporary = try TemporaryFile(
      in: place.folder, mode: old.map { $0.st_mode & 0o777 | 0o600 } ?? 0o666, for: place.path)
    self.path = place.path
    temporaryPath = temporary.path
    self.temporary = .some(temporary)
  }

  /// Refuses a path that `init(path:)` would refuse, without creating anything.
  ///
  /// Waits for a program that is about to replace the file by its packed form.
  package static func check(path: String) throws(RSSIError) {
    if isBeingWritten(path) { _ = RewriteTurn(path) }
    _ = try writablePlace(path)
  }

  /// Gives the file its name, once it is on the disk.
  ///
  /// - Throws: a `RSSIError`, also where a capture began to write a file of that name meanwhile.
  package mutating func commit() throws(RSSIError) { _ = try commitOpen() }

  /// Does the same, and returns the file, which stays open.
  package mutating func commitOpen() throws(RSSIError) -> LiveFile {
    try temporary?.synchronise(for: path)
    let file = try giveName()
    file.endWriting()
    synchroniseFolder(of: path)
    return file
  }

  /// Gives the file its name while it is being written, which a lock shows from now on; what was
  /// written so far is on the disk.
  ///
  /// - Parameter other: a file whose owner and permissions it gets; nil = those of an older file.
  package mutating func commitLive(
    permissionsOf other: LiveFile? = nil
  ) throws(RSSIError) -> LiveFile {
    try temporary?.synchronise(for: path)
    let file = try giveName(permissionsOf: other)
    lockForWriting(file.descriptor)
    synchroniseFolder(of: path)
    return file
  }

  /// Appends bytes to the file, until it has its name.
  package mutating func write(_ bytes: [UInt8]) throws(RSSIError) {
    try temporary?.write(bytes, for: path)
  }

  /// Which file it is, until it has its name.
  package var identity: FileIdentity? {
    switch temporary {
    case .some(let temporary): temporary.identity
    case .none: nil
    }
  }

  /// Refuses to go on where a descriptor is not of this file.
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
      throw RSSIError(.failed, "\(path) has its name already")
    }
    var old = stat()
    let isKnown = other.map { fstat($0.descriptor, &old) } ?? stat(path, &old)
    if isKnown == 0 { temporary.inherit(from: old) }
    return LiveFile(path: path, descriptor: try temporary.rename(to: path))
  }
}

/// Brings the names in the folder of a file to the disk, so that they survive a loss of power, too;
/// not every file system can.
package func synchroniseFolder(of path: String) {
  let descriptor = open(FilePlace(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  fsync(descriptor)
  close(descriptor)
}

/// Refuses a file that a capture is writing, or that is being packed.
private func requireNoWriter(_ path: String) throws(RSSIError) {
  guard !isBeingWritten(path) else {
    throw RSSIError(
      .inputOutput,
      "cannot write \(path): a running capture is writing or packing it; name another file")
  }
}

/// Where a file will be, and the older one there, once it is sure that it can be there.
private func writablePlace(
  _ given: String
) throws(RSSIError) -> (place: FilePlace, old: stat?) {
  guard !given.isEmpty else {
    throw RSSIError(.inputOutput, "the output has no name: give one with -o")
  }
  // A link keeps pointing where it did: the file behind it is the one replaced.
  let place = FilePlace(given)
  guard !place.isDescriptor else {
    throw RSSIError(
      .inputOutput,
      "cannot write \(given): it is an open descriptor, not the name of a file; name a file")
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
        ? "cannot write \(path): it is a directory; name a file in it"
        : "cannot write \(path): it is a device or a pipe; name a file")
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
