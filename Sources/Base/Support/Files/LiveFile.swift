import Glibc
import Synchronization

/// An open file that was written here, whatever becomes of its name.
package final class LiveFile: Sendable {
  /// The name that it was given.
  package let path: String
  package let descriptor: Int32
  /// Bytes when the writer was last done with it.
  private let length = Atomic(0)

  /// - Parameter descriptor: becomes this object's own.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Where the file is now.
  package var place: LivePlace {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return .deleted }
    let identity = FileIdentity(descriptor: descriptor)
    if FileIdentity(path: path) == identity { return .unchanged }
    // The kernel knows the present name, unless that one was deleted and another hard link remains.
    let present = FilePlace.openedName(descriptor)
    guard let present, FileIdentity(path: present) == identity else { return .deleted }
    // What an NFS client calls a deleted file until it is closed.
    let isRemnant = present.split(separator: "/").last?.hasPrefix(".nfs") ?? false
    return isRemnant ? .deleted : .moved(to: present)
  }

  /// Brings the file to the disk.
  package func synchronise() throws(RSSIError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  /// Remembers the length that the writer left.
  package func noteLength() { length.store(regularFileLength(descriptor) ?? 0, ordering: .relaxed) }

  /// A Boolean value that is true if another program shortened the file since the writer's last
  /// flush.
  package var isTruncated: Bool {
    (regularFileLength(descriptor) ?? .max) < length.load(ordering: .relaxed)
  }

  /// Releases the lock of the writer.
  package func endWriting() { unlock(descriptor) }

  /// The file once it is closed, which is saved under another name where it was deleted.
  ///
  /// - Parameter paths: where a copy may be; the first that can be written is.
  package func recorded(orCopiedTo paths: [String]) throws(RSSIError) -> RecordedFile {
    switch place {
    case .unchanged: return RecordedFile(path: path, fate: .kept, file: self)
    case .moved(let path): return RecordedFile(path: path, fate: .moved, file: self)
    case .deleted: break
    }
    var failure = RSSIError(
      .inputOutput, "\(path) was deleted while it was being written, and what it held is lost")
    for path in paths {
      do throws(RSSIError) { return try copy(to: path) } catch { failure = error }
    }
    throw failure
  }

  /// Nothing has to be copied but the bytes: the kernel keeps them for the descriptor. (A link to a
  /// file without a name cannot be made: linkat(2) fails with ENOENT.)
  private func copy(to path: String) throws(RSSIError) -> RecordedFile {
    var output = try AtomicFile(path: path)
    try copyFile("/proc/self/fd/\(descriptor)", to: output.temporaryPath, named: path)
    let copy = try output.commitOpen()
    return RecordedFile(path: copy.path, fate: .saved, file: copy)
  }
}

/// Where the file of a trace is that is being written.
package enum LivePlace: Equatable, Sendable {
  /// Under the name that it was given.
  case unchanged
  /// Under another name, or in a folder that was renamed.
  case moved(to: String)
  /// It has no name any longer, or another file has its name: it vanishes when it is closed.
  case deleted
}

/// A file that was recorded and closed.
package struct RecordedFile: Sendable {
  /// What became of a file while it was being written.
  package enum Fate: Sendable {
    case kept
    /// Another program gave it another name.
    case moved
    /// Another program deleted it: this is a copy.
    case saved
  }

  package let path: String
  package let fate: Fate
  /// Stays open: another file could get the inode number of one that is deleted.
  private let file: LiveFile

  init(path: String, fate: Fate, file: LiveFile) {
    (self.path, self.fate, self.file) = (path, fate, file)
  }

  /// A Boolean value that is true if the file of that path is still the one that was recorded.
  package var isInPlace: Bool {
    FileIdentity(path: path) == FileIdentity(descriptor: file.descriptor)
  }
}
