internal import Sightings

/// The times in which a recording lost packets, of which the receiver may be known only later.
struct RecordedLosses {
  /// Whether each packet is of the receiver that lost something; on the Linux monitor events are,
  /// other packets may be of no adapter.
  let namesAdapter: Bool
  private var pending: Loss?
  private var latest: Int64?
  private var adapter: UInt16 = 0

  init(namesAdapter: Bool) { self.namesAdapter = namesAdapter }

  /// Takes the next packet, and hands on what was lost before it.
  mutating func note<Sink: RecordingSink & ~Copyable>(
    _ packet: BTSnoopPacket, into sink: inout Sink
  ) throws {
    if packet.lost > 0 {
      let start = pending?.start ?? min(latest ?? packet.time, packet.time)
      pending = Loss(
        adapter: 0, reason: .overflow, start: start, end: max(start, packet.time),
        dropped: packet.lost + (pending?.dropped ?? 0))
    }
    latest = packet.time
    guard packet.isEvent || namesAdapter else { return }
    adapter = packet.adapter
    if pending != nil { try flush(into: &sink) }
  }

  /// Adds packets that were lost after the last one.
  mutating func add(_ lost: UInt64) {
    guard lost > 0, let time = pending?.end ?? latest else { return }
    let start = pending?.start ?? time
    pending = Loss(
      adapter: 0, reason: .overflow, start: start, end: time,
      dropped: lost + (pending?.dropped ?? 0))
  }

  /// Hands on what is left.
  mutating func flush<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    guard var loss = pending else { return }
    pending = nil
    loss.adapter = adapter
    try sink.lost(loss)
  }
}
