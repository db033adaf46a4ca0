internal import Advertising

/// A splitter of the byte stream from a controller into packets, which passes on the events.
///
/// The bytes may arrive in pieces of any size. Data packets are counted and skipped. Bytes that do
/// not form a packet, such as noise on a serial line, are skipped up to the next packet and
/// counted. No packet after them is lost, because a packet that looks damaged or accidental gives
/// way to a sound one within it.
/// gives way to a sound one within it.
struct H4Framer {
  /// Received bytes that do not yet form a whole packet.
  private var bytes: [UInt8] = []
  private var skipped: UInt64 = 0
  /// The time of the last reception.
  private var lastTime: Int64 = 0
  /// A Boolean value that is true if the bytes begin with a packet that was already complete at the
  /// last reception.
  private var isHeldBack = false

  /// Adds received bytes and appends the events that they complete.
  mutating func push(_ received: Span<UInt8>, time: Int64, into batch: inout EventBatch) {
    received.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    frame(time: time, isIdle: false, into: &batch)
    lastTime = time
  }

  /// Decides on the remaining bytes after a pause: a complete packet that might be damaged is
  /// accepted, and the presumed beginning of a packet is skipped if whole packets follow it.
  mutating func settle(into batch: inout EventBatch) {
    guard !bytes.isEmpty else { return }
    frame(time: lastTime, isIdle: true, into: &batch)
  }

  /// Returns the number of bytes that were skipped since the last call.
  mutating func takeSkipped() -> UInt64 {
    defer { skipped = 0 }
    return skipped
  }

  /// Discards the bytes of an incomplete packet, because the stream starts again.
  mutating func restart() {
    bytes.removeAll(keepingCapacity: true)
    isHeldBack = false
  }

  private mutating func frame(time: Int64, isIdle: Bool, into batch: inout EventBatch) {
    // A copy outside self, because the bytes' events change self.
    var stream: [UInt8] = []
    swap(&stream, &bytes)
    let end = take(stream.span, time: time, isIdle: isIdle, into: &batch)
    if end == stream.count {
      stream.removeAll(keepingCapacity: true)
    } else if end > 0 {
      stream.removeSubrange(0..<end)
    }
    swap(&stream, &bytes)
  }

  /// Extracts the packets that can be decided; returns the offset of the rest.
  private mutating func take(
    _ stream: Span<UInt8>, time: Int64, isIdle: Bool, into batch: inout EventBatch
  ) -> Int {
    var start = 0
    var shape: H4Shape?
    let heldTime = isHeldBack ? lastTime : time
    isHeldBack = false
    while start < stream.count {
      var ahead: H4Shape?
      let verdict = H4Verdict(
        on: shape ?? H4Shape(stream, at: start), at: start, in: stream, isIdle: isIdle,
        ahead: &ahead)
      switch verdict {
      case .packet(let length):
        if let kind = PacketKind.ofH4(type: stream[start]) {
          batch.pass(kind)
        } else {
          batch.append(
            stream.extracting((start + 1)..<(start + length)), time: start == 0 ? heldTime : time)
        }
        start += length
      case .noise(let length):
        skipped += UInt64(length)
        start += length
      case .undecided(let isWhole):
        isHeldBack = isWhole
        return start
      }
      shape = ahead
    }
    return start
  }
}
