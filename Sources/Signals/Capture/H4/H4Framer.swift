internal import Advertising

/// Cuts a stream of bytes from a controller into packets and hands on the events.
///
/// The bytes may come in pieces of any size. Data packets are counted and passed over. Bytes
/// that are not a packet, such as noise on a serial line, are skipped up to the next packet and
/// counted: nothing that follows them is lost, because a packet that looks damaged or accidental
/// gives way to a sound one within it.
struct H4Framer {
  /// Bytes that are not yet known to be a whole packet.
  private var bytes: [UInt8] = []
  private var skipped: UInt64 = 0
  /// The time of the last bytes.
  private var lastTime: Int64 = 0
  /// A Boolean value that is true if the bytes begin with a packet that was already whole when they
  /// last came.
  private var isHeldBack = false

  /// Takes the bytes that came at a time and appends the events that they complete.
  mutating func push(_ received: Span<UInt8>, time: Int64, into batch: inout EventBatch) {
    received.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    frame(time: time, isIdle: false, into: &batch)
    lastTime = time
  }

  /// Decides on what is left, since nothing more came for a while: a whole packet that might have
  /// been a damaged one is taken, and what looked like the beginning of a packet is skipped where
  /// whole packets follow it.
  mutating func settle(into batch: inout EventBatch) {
    guard !bytes.isEmpty else { return }
    frame(time: lastTime, isIdle: true, into: &batch)
  }

  /// Returns the number of bytes that were skipped since the last call.
  mutating func takeSkipped() -> UInt64 {
    defer { skipped = 0 }
    return skipped
  }

  /// Forgets the bytes of a packet that will not be completed: the stream begins again.
  mutating func restart() {
    bytes.removeAll(keepingCapacity: true)
    isHeldBack = false
  }

  private mutating func frame(time: Int64, isIdle: Bool, into batch: inout EventBatch) {
    // Out of self, since what is found in the bytes changes it.
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

  /// Takes what can be decided on; returns where the rest begins.
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
