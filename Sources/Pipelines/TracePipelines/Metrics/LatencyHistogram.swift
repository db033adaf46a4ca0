/// The distribution of the delays from the reception of sightings to their handling; counting
/// allocates nothing.
package struct LatencyHistogram: Equatable, Sendable {
  /// The upper bounds of all buckets but the last, which has none, in nanoseconds.
  package static let bounds: [Int64] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000,
  ].map { $0 * 1_000_000 }

  /// The age in nanoseconds below which a sighting is of the present.
  private static let present: UInt64 = 60_000_000_000

  /// The number of sightings in each bucket, without those of lower ones.
  private var buckets = SIMD16<UInt64>()
  /// The sum of all times in nanoseconds.
  package private(set) var sum: UInt64 = 0

  package init() {}

  /// Adds sightings with one delay; a negative delay, after a clock was set back, counts as 0.
  package mutating func add(_ nanoseconds: Int64, count: Int = 1) {
    guard count > 0 else { return }
    let index = Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count
    buckets[index] &+= UInt64(count)
    sum &+= UInt64(max(0, nanoseconds)) &* UInt64(count)
  }

  /// Adds sightings that were handled now, by the times of their reception.
  ///
  /// Sightings older than a minute, from a replayed recording, are left out.
  ///
  /// - Parameter now: the time by the clock of the machine, nanoseconds since the Unix epoch.
  package mutating func add(_ times: [Int64], at now: Int64) {
    for time in times {
      let (age, isOverflow) = now.subtractingReportingOverflow(time)
      if !isOverflow, age.magnitude <= Self.present { add(age) }
    }
  }

  package var count: UInt64 { buckets.wrappedSum() }

  /// The number of sightings handled within each bound, and of all.
  package var cumulative: [UInt64] {
    var sum: UInt64 = 0
    return (0..<buckets.scalarCount).map { index in
      sum &+= buckets[index]
      return sum
    }
  }
}
