import Dispatch
import Glibc
import Synchronization

/// Brings a file to the disk in the background: a slow card takes seconds, and whoever listens to a
/// radio must not wait for it.
final class DiskSynchroniser: Sendable {
  private let descriptor: Int32
  private let isBusy = Atomic(false)

  /// - Parameter descriptor: an open file, of which a descriptor of its own is made.
  init(_ descriptor: Int32) { self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Lets go of the lock of the file's writer, which a synchronisation under way would keep: slow
  /// disks take seconds, and the file is whole.
  func endWriting() { if descriptor >= 0 { unlock(descriptor) } }

  /// Begins, unless the last time is not over yet; then the next call does it.
  func synchronise() {
    guard descriptor >= 0, !isBusy.exchange(true, ordering: .acquiring) else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      fdatasync(descriptor)
      isBusy.store(false, ordering: .releasing)
    }
  }
}
