package import Sightings
package import Support
import Synchronization

/// The progress of a running stage at one instant, for other programs. A figure that a stage does
/// not have is nil.
package struct StageMetrics: Sendable {
  /// The number of sightings of the selection.
  package var sightings: UInt64?
  /// The number of advertising reports received, selected or not.
  package var reports: UInt64?
  /// The losses and the events known to be lost, by reason.
  package var losses: [Gap.Reason: (gaps: UInt64, events: UInt64)]?
  /// The number of refused inputs, by reason.
  package var rejected: [String: UInt64]?
  /// The number of sightings that wait to be written.
  package var waiting: Int?
  /// The time of the latest flush of the output, by the monotonic clock.
  package var flushed: Int64?
  /// The delays from the reception of sightings to their handling.
  package var latency: LatencyHistogram?
  /// The numbers of instants at which a node was located, and at which it was refused.
  package var positions: (located: UInt64, refused: UInt64)?
  /// The time of advertising, in nanoseconds, and the number of restarts.
  package var advertising: (time: Int64, restarts: Int)?

  package init() {}

  /// Creates metrics with the refusals of a trace builder.
  package init<Sink: SightingSink & ~Copyable>(of builder: borrowing TraceBuilder<Sink>) {
    rejected = Dictionary(uniqueKeysWithValues: builder.refusals.map { ($0.reason, $0.count) })
  }
}

extension ActivityLog {
  /// Notes the parts of an input that were refused.
  package func reportRefusals(_ catalogue: Catalogue) {
    for rejected in catalogue.refusals { note("refused \(rejected.count) × \(rejected.reason)") }
  }

  /// Notes the parts of a stream that were refused, and the sightings without a level.
  package func reportStream(_ catalogue: Catalogue) {
    reportRefusals(catalogue)
    for missing in catalogue.missingLevels {
      note("\(missing.count) sightings without a level: \(missing.reason)")
    }
  }
}

/// A board on which a stage publishes its metrics for other threads, at most ten times per second.
///
/// Publishing waits only for another thread that copies the value.
package final class MetricsBoard: Sendable {
  private let metrics = Mutex(StageMetrics())
  private let due = Atomic<Int64>(.min)
  private static let interval: Int64 = 100_000_000

  package init() {}

  package var current: StageMetrics { metrics.withLock { $0 } }

  package func publish(_ new: StageMetrics) { metrics.withLock { $0 = new } }

  /// Publishes unless the last time was less than a tenth of a second before.
  ///
  /// - Parameter now: the time by the monotonic clock.
  package func publish(at now: Int64, _ new: @autoclosure () throws -> StageMetrics) rethrows {
    guard now >= due.load(ordering: .relaxed) else { return }
    due.store(now + Self.interval, ordering: .relaxed)
    publish(try new())
  }
}
