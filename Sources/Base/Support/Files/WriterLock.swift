import Glibc

// HDF5's own lock is released when others may read, so it cannot distinguish a file that is being
// written from one whose writer was killed. Ours is of another kind (open file description), which
// does not hinder readers and ends with the writer.

/// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, which glibc shows only to GNU sources
/// (asm-generic/fcntl.h).
private let getLockCommand: Int32 = 36
private let setLockCommand: Int32 = 37

/// Marks an open file as being written, until it is closed. File systems without locks go without.
///
/// - Returns: whether the file is locked.
@discardableResult
package func lockForWriting(_ descriptor: Int32) -> Bool { setLock(Int16(F_WRLCK), descriptor) }

/// Marks an open file as in use, which does not count as being written.
///
/// - Returns: false where another program has locked it for writing; true without locks.
package func shareLock(_ descriptor: Int32) -> Bool {
  setLock(Int16(F_RDLCK), descriptor) || errno != EAGAIN && errno != EACCES
}

/// Marks a file as not being written any longer, although a descriptor of it is still open.
package func unlock(_ descriptor: Int32) { _ = setLock(Int16(F_UNLCK), descriptor) }

private func setLock(_ kind: Int16, _ descriptor: Int32) -> Bool {
  var lock = flock()
  lock.l_type = kind
  lock.l_whence = Int16(SEEK_SET)
  return fcntl(descriptor, setLockCommand, &lock) == 0
}

/// Marks a file as being written for as long as it takes to replace it.
package final class WriterHold {
  private var descriptor: Int32

  package init(_ path: String) {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    if descriptor >= 0 { lockForWriting(descriptor) }
  }

  package func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  deinit { end() }
}

/// Whether a program is writing the file now.
package func isBeingWritten(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  var lock = flock()
  lock.l_type = Int16(F_RDLCK)
  lock.l_whence = Int16(SEEK_SET)
  return fcntl(descriptor, getLockCommand, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
}
