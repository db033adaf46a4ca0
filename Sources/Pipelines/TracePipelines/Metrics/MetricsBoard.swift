import Synchronization

/// Where a stage publishes its metrics, at most ten times a second, for other threads to read.
///
/// Publishing waits only for another thread that copies the value.
package final class MetricsBoard: Sendable {
  private let metrics = Mutex(StageMetrics())
  private let due = Atomic<Int64>(.min)
  private static let interval: Int64 = 100_000_000

  package init() {}

  package var current: StageMetrics { metrics.withLock { $0 } }

  package func publish(_ new: StageMetrics) { metrics.withLock { $0 = new } }

  /// Publishes unless that was done less than a tenth of a second before.
  ///
  /// - Parameter now: by the monotonic clock.
  package func publish(at now: Int64, _ new: @autoclosure () throws -> StageMetrics) rethrows {
    guard now >= due.load(ordering: .relaxed) else { return }
    due.store(now + Self.interval, ordering: .relaxed)
    publish(try new())
  }
}
