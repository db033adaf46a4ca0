import Sightings

/// The rows of tables that parts have in common, such as the truth at the seam of two: each is added
/// once.
package final class MergedTables {
  private var dwells: [[UInt64]: [String: UInt32]] = [:]
  private var rows: Set<[UInt64]> = []
  /// Whether there is more than one part; without another, nothing is there twice.
  private let isShared: Bool

  package init(isShared: Bool = false) { self.isShared = isShared }

  func number(of dwell: Dwell, add: () -> UInt32) -> UInt32 {
    guard isShared else { return add() }
    let key = [
      UInt64(dwell.beacon), UInt64(dwell.receiver), UInt64(dwell.trace), bits(dwell.start),
      bits(dwell.end), dwell.distance.bitPattern,
    ]
    if let known = dwells[key]?[dwell.pose] { return known }
    let number = add()
    dwells[key, default: [:]][dwell.pose] = number
    return number
  }

  func isNew(_ point: TruthPoint) -> Bool {
    isNew([
      0, bits(point.time), UInt64(point.role.rawValue), UInt64(point.node), UInt64(point.trace),
      point.x.bitPattern, point.y.bitPattern, point.z.isNaN ? .max : point.z.bitPattern,
    ])
  }

  func isNew(_ level: TruthLevel) -> Bool {
    isNew([
      1, bits(level.time), UInt64(level.beacon), UInt64(level.receiver), UInt64(level.trace),
      UInt64(level.rssi.bitPattern),
    ])
  }

  func isNew(_ gap: Gap) -> Bool {
    isNew([
      2, bits(gap.start), bits(gap.end), UInt64(gap.receiver),
      UInt64(Gap.Reason.allCases.firstIndex(of: gap.reason) ?? 0), gap.dropped,
    ])
  }

  func isNew(_ reading: ClockReading) -> Bool {
    isNew([3, bits(reading.time), bits(reading.monotonic)])
  }

  private func isNew(_ row: [UInt64]) -> Bool { !isShared || rows.insert(row).inserted }

  private func bits(_ time: Int64) -> UInt64 { UInt64(bitPattern: time) }
}
