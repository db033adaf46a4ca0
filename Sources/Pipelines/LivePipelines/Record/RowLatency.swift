import Sightings
import Support
import TracePipelines

/// How long the rows of a recording wait from their reception until its output has them.
struct RowLatency {
  private(set) var histogram = LatencyHistogram()
  /// When the rows that wait were received.
  private var received: [Int64] = []
  private let clock: MachineClock
  /// Whether the times of reports are of this machine's clock, as those of radios are.
  private let hasOwnTimes: Bool

  /// - Parameter rows: rows of a block, which is all that waits.
  init(of source: SourceName, _ clock: MachineClock, rows: Int = 65_536) {
    self.clock = clock
    hasOwnTimes = !source.isReplay && !source.isGateways
    received.reserveCapacity(rows)
  }

  /// Counts a row that is received now.
  ///
  /// - Parameter time: as its report states it.
  mutating func receive(at time: Int64) { received.append(hasOwnTimes ? time : clock.now()) }

  /// Counts the rows that waited: the output has them.
  mutating func handOver() {
    let now = clock.now()
    for time in received { histogram.add(now &- time) }
    received.removeAll(keepingCapacity: true)
  }
}
