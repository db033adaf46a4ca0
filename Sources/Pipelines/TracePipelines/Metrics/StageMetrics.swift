package import Sightings
package import Support
import Synchronization

/// How a stage that runs until it is stopped goes at one instant: what other programs may ask while
/// it works. A figure that a stage does not have is nil.
package struct StageMetrics: Sendable {
  /// Sightings taken, of those that were asked for.
  package var sightings: UInt64?
  /// Advertising reports received, whatever became of them.
  package var reports: UInt64?
  /// Times in which something was lost, and events known to be lost, by reason.
  package var losses: [Gap.Reason: (gaps: UInt64, events: UInt64)]?
  /// Input that was refused, by reason.
  package var rejected: [String: UInt64]?
  /// Sightings that wait to be written.
  package var waiting: Int?
  /// When the output was last flushed, by the monotonic clock.
  package var flushed: Int64?
  /// From the reception of sightings until they were handled.
  package var latency: LatencyHistogram?
  /// Instants at which a node was located, and at which it was refused.
  package var positions: (located: UInt64, refused: UInt64)?
  /// How long it advertises, in nanoseconds, and how often that was begun again.
  package var advertising: (time: Int64, restarts: Int)?

  package init() {}

  /// What a trace builder refused.
  package init<Sink: SightingSink & ~Copyable>(of builder: borrowing TraceBuilder<Sink>) {
    rejected = Dictionary(uniqueKeysWithValues: builder.refusals.map { ($0.reason, $0.count) })
  }
}

extension ActivityLog {
  /// Notes what of an input did not become a sighting.
  package func reportRefusals(_ catalogue: Catalogue) {
    for rejected in catalogue.refusals { note("refused \(rejected.count) × \(rejected.reason)") }
  }

  /// Notes what of a stream did not become a sighting, and which sightings have no level.
  package func reportStream(_ catalogue: Catalogue) {
    reportRefusals(catalogue)
    for missing in catalogue.missingLevels {
      note("\(missing.count) sightings without a level: \(missing.reason)")
    }
  }
}

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
