internal import Advertising

/// HCI events received together, in one arena of bytes that keeps its memory.
struct EventBatch {
  /// The events' bytes, one after the other, each from its event code on.
  private(set) var bytes: [UInt8] = []
  private(set) var events: [Event] = []

  /// Packets that are not events, of which only the number is kept.
  private(set) var others: [PacketKind: Int] = [:]

  struct Event {
    var range: Range<Int>
    /// When it was received, nanoseconds since the Unix epoch.
    var time: Int64
  }

  var isEmpty: Bool { events.isEmpty && others.isEmpty }

  mutating func append(_ event: Span<UInt8>, time: Int64) {
    let start = bytes.count
    event.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    events.append(Event(range: start..<bytes.count, time: time))
  }

  /// Counts packets that are not events.
  mutating func pass(_ kind: PacketKind, count: Int = 1) { others[kind, default: 0] += count }

  mutating func removeAll() {
    others.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }
}
