import Dispatch
import Glibc
import Support
import Synchronization

/// Brings a file to the disk in the background: a slow card takes seconds, and a program that
/// listens to a radio must not wait for it.
final class DiskSynchroniser: Sendable {
  private let file: LiveFile
  private let isBusy = Atomic(false)

  init(_ file: LiveFile) { self.file = file }

  /// Begins, unless the last time is not over yet; then the next call does it.
  func synchronise() {
    guard !isBusy.exchange(true, ordering: .acquiring) else { return }
    DispatchQueue.global(qos: .utility).async { [self] in
      fdatasync(file.descriptor)
      isBusy.store(false, ordering: .releasing)
    }
  }
}
