import Glibc

// HDF5's own lock is released when others may read, so it cannot distinguish a file that is being
// written from one whose writer was killed. Ours is an open file description lock, which does not
// affect readers and ends with the writer.

/// The Linux commands `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW`, which glibc defines only for
/// GNU sources (asm-generic/fcntl.h).
private let getLockCommand: Int32 = 36
private let setLockCommand: Int32 = 37
private let waitLockCommand: Int32 = 38

/// The locked bytes: those of a file's content for its writer, and one beyond for a program that
/// rewrites it.
private enum LockedBytes {
  case content
  case turn

  func lock(_ kind: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = self == .content ? 0 : 1 << 62
    lock.l_len = self == .content ? 1 << 62 : 1
    return lock
  }
}

/// Marks an open file as being written, until it is closed. File systems without locks are not
/// marked.
///
/// - Returns: A Boolean value that is true if the file is locked.
@discardableResult
package func lockForWriting(_ descriptor: Int32) -> Bool { setLock(F_WRLCK, descriptor) }

/// Marks an open file as in use, which does not count as being written.
///
/// - Returns: `false` if another program has locked it for writing; `true` without locks.
package func shareLock(_ descriptor: Int32) -> Bool {
  setLock(F_RDLCK, descriptor) || errno != EAGAIN && errno != EACCES
}

/// Marks a file as no longer being written, although a descriptor of it is still open.
package func unlock(_ descriptor: Int32) { _ = setLock(F_UNLCK, descriptor) }

private func setLock(_ kind: Int32, _ descriptor: Int32) -> Bool {
  var lock = LockedBytes.content.lock(kind)
  return fcntl(descriptor, setLockCommand, &lock) == 0
}

/// A mark that a file is being written for as long as it takes to replace it.
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

/// The exclusive turn of one program to read a file and replace it.
///
/// Others that request the turn wait until this one is released, and then find the new file;
/// readers and captures are not affected. File systems without locks do not wait.
package final class RewriteTurn {
  private let descriptor: Int32

  /// Waits until no other program has the turn.
  package init(_ path: String) {
    while true {
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { break }
      var lock = LockedBytes.turn.lock(F_WRLCK)
      var result: Int32
      repeat {
        result = fcntl(descriptor, waitLockCommand, &lock)
      } while result < 0 && errno == EINTR
      // The previous program has replaced the file, so the lock on the new one is still needed.
      if FileIdentity(path: path) == FileIdentity(descriptor: descriptor) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    descriptor = -1
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Returns a Boolean value that is true if a program is writing the file now.
package func isBeingWritten(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  var lock = LockedBytes.content.lock(F_RDLCK)
  return fcntl(descriptor, getLockCommand, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
}
