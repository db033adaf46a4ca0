/// HCI events received together, in one arena of bytes that keeps its memory.
struct EventBatch {
  /// The events' bytes, one after the other, each from its event code on.
  private(set) var bytes: [UInt8] = []
  private(set) var events: [Event] = []

  struct Event {
    var range: Range<Int>
    /// When it was received, nanoseconds since the Unix epoch.
    var time: Int64
  }

  var isEmpty: Bool { events.isEmpty }

  mutating func append(_ event: Span<UInt8>, time: Int64) {
    let start = bytes.count
    event.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    events.append(Event(range: start..<bytes.count, time: time))
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }
}
