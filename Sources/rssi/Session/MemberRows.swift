import Sightings

/// The rows of one member's parts as one, each once.
///
/// A member that was taken for dead and came back may have two parts of one time, by the same clock
/// and from the same radio: what is in both, to the nanosecond and the byte, was received once. What is
/// in one part twice was received twice.
struct MemberRows {
  private let parts: [PartRows]
  /// Rows of one instant that several parts have.
  private var waiting: [Sighting] = []
  /// Rows left out because they are there already.
  private(set) var repeated = 0

  init(_ parts: [PartRows]) { self.parts = parts }

  /// The session's time of the next row; nil after the last.
  var time: Int64? { waiting.last?.time ?? first?.head?.sighting.time }

  /// The part whose next row is the earliest.
  private var first: PartRows? {
    var best: PartRows?
    for part in parts {
      guard let head = part.head else { continue }
      if head.local < best?.head?.local ?? .max { best = part }
    }
    return best
  }

  /// Takes the next row.
  mutating func next<Sink: SightingSink & ~Copyable>(
    _ intake: inout Intake<Sink>
  ) throws -> Sighting? {
    if let sighting = waiting.popLast() { return sighting }
    guard let first, let head = first.head else { return nil }
    let shared = parts.filter { $0.head?.local == head.local }
    guard shared.count > 1 else {
      try first.advance(&intake)
      return head.sighting
    }
    var counts: [Content: Int] = [:]
    var rows: [Sighting] = []
    for part in shared {
      var own: [Content: Int] = [:]
      while let row = part.head, row.local == head.local {
        let content = Content(row.sighting)
        own[content, default: 0] += 1
        if own[content, default: 0] > counts[content, default: 0] {
          counts[content] = own[content]
          rows.append(row.sighting)
        } else {
          repeated += 1
        }
        try part.advance(&intake)
      }
    }
    waiting = rows.reversed()
    return waiting.popLast()
  }

  /// What makes two rows of one instant the same.
  private struct Content: Hashable {
    let indices: [UInt32]
    let level: UInt32
    let octets: [UInt8]

    init(_ row: Sighting) {
      indices = [
        row.beacon, row.advertiser, row.payload, UInt32(row.receiver), UInt32(row.trace),
        UInt32(row.eventType),
      ]
      level = row.rssi.isNaN ? Float.nan.bitPattern : row.rssi.bitPattern
      octets = [
        row.channel, row.primaryPHY, row.secondaryPHY, row.sid, row.dataStatus,
        UInt8(bitPattern: row.txPower),
      ]
    }
  }
}
