import Sightings
import TracePipelines

/// The rows of one member's parts as one sequence without repetitions.
///
/// A member that was lost and rejoined may have two parts of one time, by the same clock and from
/// the same radio: rows in both that are equal to the nanosecond and the byte were received once.
/// Equal rows of one part were received twice.
struct DeduplicatedRows {
  private let parts: [TracePart]
  /// The rows that were taken, the earliest last.
  private var waiting: [Sighting] = []
  /// The number of rows left out because another part has them.
  private(set) var repeated = 0

  init(_ parts: [TracePart]) { self.parts = parts }

  /// The session's time of the next row; nil after the last.
  var time: Int64? {
    guard let head = earliestTime else { return waiting.last?.time }
    return min(head, waiting.last?.time ?? .max)
  }

  private var earliestTime: Int64? { parts.compactMap { $0.head?.sighting.time }.min() }

  /// Takes the next row.
  mutating func next<Sink: SightingSink & ~Copyable>(
    _ builder: inout TraceBuilder<Sink>
  ) throws -> Sighting? {
    if parts.count == 1, let head = parts[0].head {
      try parts[0].advance(&builder)
      return head.sighting
    }
    // The offsets of two parts differ slightly, so rows are not quite in order.
    while let earliest = earliestTime, waiting.last.map({ $0.time > earliest }) ?? true {
      try take(&builder)
    }
    return waiting.popLast()
  }

  /// Takes the rows of the next instant, each once.
  private mutating func take<Sink: SightingSink & ~Copyable>(_ builder: inout TraceBuilder<Sink>)
    throws
  {
    let heads = parts.compactMap { part in part.head.map { (part: part, head: $0) } }
    guard let earliest = heads.min(by: { $0.head.sighting.time < $1.head.sighting.time }) else {
      return
    }
    // If the clock was set in between, equal times of it are different instants.
    let comparable = heads.filter { $0.head.offset.isNear(earliest.head.offset) }
    guard let local = comparable.map(\.head.local).min() else { return }
    let shared = comparable.filter { $0.head.local == local }
      .sorted { $0.head.sighting.time < $1.head.sighting.time }
    var counts: [SightingContent: Int] = [:]
    for (part, _) in shared {
      var own: [SightingContent: Int] = [:]
      while let row = part.head, row.local == local {
        if shared.count == 1 {
          insert(row.sighting)
        } else {
          let content = SightingContent(row.sighting)
          own[content, default: 0] += 1
          if own[content, default: 0] > counts[content, default: 0] {
            counts[content] = own[content]
            insert(row.sighting)
          } else {
            repeated += 1
          }
        }
        try part.advance(&builder)
      }
    }
  }

  /// Inserts a row by its time, after those of the same time.
  private mutating func insert(_ row: Sighting) {
    let place = waiting.firstIndex { $0.time <= row.time } ?? waiting.endIndex
    waiting.insert(row, at: place)
  }
}

extension TracePart.Row {
  /// The correction of the clock's time, in nanoseconds.
  fileprivate var offset: Int64 { sighting.time &- local }
}

extension Int64 {
  fileprivate func isNear(_ other: Int64) -> Bool {
    (self &- other).magnitude < OffsetTrack.step.magnitude
  }
}
