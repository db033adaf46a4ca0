import Glibc
import Synchronization

/// An open file that this program wrote, independent of later renames.
package final class LiveFile: Sendable {
  /// The original path.
  package let path: String
  package let descriptor: Int32
  /// The length in bytes after the writer's last flush.
  private let length = Atomic(0)

  /// - Parameter descriptor: The descriptor, whose ownership is transferred to this object.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The current place of the file.
  package var place: LivePlace {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return .deleted }
    let identity = FileIdentity(descriptor: descriptor)
    if FileIdentity(path: path) == identity { return .unchanged }
    // The kernel knows the current name, unless that one was deleted and another hard link remains.
    let present = FilePlace.openedName(descriptor)
    guard let present, FileIdentity(path: present) == identity else { return .deleted }
    // The name that an NFS client gives a deleted file until it is closed.
    let isRemnant = present.split(separator: "/").last?.hasPrefix(".nfs") ?? false
    return isRemnant ? .deleted : .moved(to: present)
  }

  /// Flushes the file to the disk.
  package func synchronise() throws(RSSIError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  /// Records the length after a flush of the writer.
  package func noteLength() { length.store(regularFileLength(descriptor) ?? 0, ordering: .relaxed) }

  /// A Boolean value that is true if another program shortened the file since the writer's last
  /// flush.
  package var isTruncated: Bool {
    (regularFileLength(descriptor) ?? .max) < length.load(ordering: .relaxed)
  }

  /// Releases the lock of the writer.
  package func endWriting() { unlock(descriptor) }

  /// Returns the file after it is closed, copied to another name if it was deleted.
  ///
  /// - Parameter paths: The candidate paths for a copy; the first writable one is used.
  package func recorded(orCopiedTo paths: [String]) throws(RSSIError) -> RecordedFile {
    switch place {
    case .unchanged: return RecordedFile(path: path, fate: .kept, file: self)
    case .moved(let path): return RecordedFile(path: path, fate: .moved, file: self)
    case .deleted: break
    }
    var failure = RSSIError(
      .inputOutput, "\(path) was deleted while it was being written; its content is lost")
    for path in paths {
      do throws(RSSIError) { return try copy(to: path) } catch { failure = error }
    }
    throw failure
  }

  /// Copies the bytes, which the kernel keeps for the descriptor. (A file without a name cannot be
  /// linked: linkat(2) fails with ENOENT.)
  private func copy(to path: String) throws(RSSIError) -> RecordedFile {
    var output = try AtomicFile(path: path)
    try copyFile(descriptor, of: self.path, to: output.temporaryPath, named: path)
    let copy = try output.commitOpen()
    return RecordedFile(path: copy.path, fate: .saved, file: copy)
  }
}

/// The current place of the file of a trace that is being written.
package enum LivePlace: Equatable, Sendable {
  /// The original path.
  case unchanged
  /// Another name, or a renamed folder.
  case moved(to: String)
  /// No name, or another file has its name: it vanishes when it is closed.
  case deleted
}

/// A file that was recorded and closed.
package struct RecordedFile: Sendable {
  /// The fate of a file while it was being written.
  package enum Fate: Sendable {
    case kept
    /// Another program renamed it.
    case moved
    /// Another program deleted it; this is a copy.
    case saved
  }

  package let path: String
  package let fate: Fate
  /// It stays open, because another file could get the inode number of a deleted one.
  private let file: LiveFile

  init(path: String, fate: Fate, file: LiveFile) {
    (self.path, self.fate, self.file) = (path, fate, file)
  }

  /// A Boolean value that is true if the file at that path is still the recorded one.
  package var isInPlace: Bool {
    FileIdentity(path: path) == FileIdentity(descriptor: file.descriptor)
  }
}
