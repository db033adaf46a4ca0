internal import Sightings

/// The times in which a recording lost packets, whose receiver may be known only later.
struct RecordedLosses {
  /// A Boolean value that is true if each packet identifies the receiver that lost something; on
  /// the Linux monitor only events do.
  let namesAdapter: Bool
  private var pending: Loss?
  private var latest: Int64?
  private var adapter: UInt16 = 0

  init(namesAdapter: Bool) { self.namesAdapter = namesAdapter }

  /// Processes the next packet, and passes on earlier losses.
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

  /// Adds losses after the last packet.
  mutating func add(_ lost: UInt64) {
    guard lost > 0, let time = pending?.end ?? latest else { return }
    let start = pending?.start ?? time
    pending = Loss(
      adapter: 0, reason: .overflow, start: start, end: time,
      dropped: lost + (pending?.dropped ?? 0))
  }

  /// Passes on the remaining losses.
  mutating func flush<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    guard var loss = pending else { return }
    pending = nil
    loss.adapter = adapter
    try sink.lost(loss)
  }
}
