import Sightings

/// The selected rows of a trace's tables.
struct PartTables {
  private let catalogue: Catalogue
  private let taken: PartSelection?

  /// - Parameter taken: the selection; nil = everything.
  init(_ catalogue: Catalogue, _ taken: PartSelection?) {
    (self.catalogue, self.taken) = (catalogue, taken)
  }

  func hasBeacon(_ number: Int) -> Bool { taken?.beacons.contains(UInt32(number)) ?? true }
  func hasReceiver(_ number: Int) -> Bool { taken?.receivers.contains(UInt16(number)) ?? true }
  func hasTrace(_ number: Int) -> Bool { taken?.traces.contains(UInt16(number)) ?? true }
  func hasAdvertiser(_ number: Int) -> Bool { taken?.advertisers.contains(UInt32(number)) ?? true }
  func hasStay(_ number: Int) -> Bool {
    let stay = catalogue.stays[number]
    return (taken?.stays.contains(UInt32(number)) ?? true) && hasBeacon(Int(stay.beacon))
      && hasReceiver(Int(stay.receiver)) && hasTrace(Int(stay.trace))
  }

  /// Counts of refused input apply to the whole input, not to a selection.
  var rejected: [Rejected] { taken == nil ? catalogue.rejected : [] }

  var truth: [TruthPoint] { selected(catalogue.truth) }

  var rooms: [RoomMark] { selected(catalogue.rooms) }

  private func selected<Row: NodeTruth>(_ rows: [Row]) -> [Row] {
    guard let taken else { return rows }
    let known = rows.filter { row in
      let number = Int(row.node)
      return row.role == .beacon ? hasBeacon(number) : hasReceiver(number)
    }
    return spanned(
      known, time: \.time, span: { taken.spans[$0.trace] },
      path: { [UInt32($0.role.rawValue), $0.node, UInt32($0.trace)] })
  }

  var levels: [TruthLevel] {
    guard let taken else { return catalogue.levels }
    let known = catalogue.levels.filter {
      hasBeacon(Int($0.beacon)) && hasReceiver(Int($0.receiver))
    }
    return spanned(
      known, time: \.time, span: { taken.spans[$0.trace] },
      path: { [$0.beacon, UInt32($0.receiver), UInt32($0.trace)] })
  }

  var gaps: [Gap] {
    guard taken != nil else { return catalogue.gaps }
    return catalogue.gaps.filter { gap in
      hasReceiver(Int(gap.receiver)) && gap.end >= all.lowerBound && gap.start < all.upperBound
    }
  }

  var clock: [ClockReading] {
    guard taken != nil else { return catalogue.clock }
    return spanned(catalogue.clock, time: \.time, span: { _ in all }, path: { _ in [] })
  }

  /// The time from the first to the last selected instant of any trace.
  private var all: Range<Int64> {
    let spans = taken.map { Array($0.spans.values) } ?? []
    let first = spans.map(\.lowerBound).min() ?? 0
    return first..<max(first, spans.map(\.upperBound).max() ?? 0)
  }

  /// Returns the rows in a span, with the last before it and the first after it of each path,
  /// between which the path is straight.
  private func spanned<Row>(
    _ rows: [Row], time: (Row) -> Int64, span: (Row) -> Range<Int64>?, path: (Row) -> [UInt32]
  ) -> [Row] {
    var before: [[UInt32]: Int64] = [:]
    var after: [[UInt32]: Int64] = [:]
    for row in rows {
      guard let span = span(row) else { continue }
      let (path, time) = (path(row), time(row))
      if time < span.lowerBound { before[path] = max(time, before[path] ?? .min) }
      if time >= span.upperBound { after[path] = min(time, after[path] ?? .max) }
    }
    return rows.filter { row in
      guard let span = span(row) else { return false }
      let time = time(row)
      return span.contains(time) || before[path(row)] == time || after[path(row)] == time
    }
  }
}

/// The rows of tables that parts share, such as the truth at the seam of two: each is added once.
package final class MergedTables {
  private var stays: [[UInt64]: [String: UInt32]] = [:]
  private var rows: Set<[UInt64]> = []
  /// A Boolean value that is true if there is more than one part; a single part has no repeated
  /// rows.
  private let isShared: Bool

  package init(isShared: Bool = false) { self.isShared = isShared }

  func number(of stay: DistanceStay, add: () -> UInt32) -> UInt32 {
    guard isShared else { return add() }
    let key = [
      UInt64(stay.beacon), UInt64(stay.receiver), UInt64(stay.trace), bits(stay.start),
      bits(stay.end), stay.distance.bitPattern,
    ]
    if let known = stays[key]?[stay.pose] { return known }
    let number = add()
    stays[key, default: [:]][stay.pose] = number
    return number
  }

  func isNew(_ point: TruthPoint) -> Bool {
    isNew([
      0, bits(point.time), UInt64(point.role.rawValue), UInt64(point.node), UInt64(point.trace),
      UInt64(point.floor ?? .max), point.x.bitPattern, point.y.bitPattern,
      point.z.isNaN ? .max : point.z.bitPattern,
    ])
  }

  func isNew(_ mark: RoomMark) -> Bool {
    isNew(
      [
        4, bits(mark.time), UInt64(mark.role.rawValue), UInt64(mark.node), UInt64(mark.trace),
      ] + mark.room.utf8.map(UInt64.init))
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
