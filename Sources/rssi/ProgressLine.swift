import Synchronization

/// A progress line that several cores may tell of.
final class ProgressLine: Sendable {
  private let progress: Mutex<Progress>

  init(_ label: String, total: Int, quiet: Bool) {
    progress = Mutex(Progress(label, total: total, quiet: quiet))
  }

  func update(_ done: Int) { progress.withLock { $0.update(done) } }

  func finish() { progress.withLock { $0.finish() } }
}
