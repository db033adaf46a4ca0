internal import Advertising
internal import CBlueZ
internal import Sightings
package import Support

/// The kernel's monitor channel: what any program on this machine receives, on all adapters.
///
/// It neither scans nor changes anything; what arrives is up to the one that scans. Each adapter is a
/// receiver, numbered as the kernel numbers it, described when its first event comes.
package struct MonitorSource: CaptureSource {
  private let reader: SocketReader
  private var adapters = MonitoredAdapters()
  private var advice: MonitorAdvice
  private var drops = DropCount()
  private var lastLook: Int64 = 0
  /// Packets other than events since they were last accounted for.
  private var counts = DecodingCounts()
  /// The adapter that the latest event came from, to which losses are put down: the kernel counts
  /// them for all adapters together.
  private var latest: UInt16?

  /// Opens the channel.
  ///
  /// - Parameters:
  ///   - name: what the receivers are called, with `/hciN` behind it; empty = just `hciN`.
  ///   - silence: seconds without advertisements after which the user is informed that no one scans.
  /// - Throws: `RSSIError.permission` without CAP_NET_RAW.
  package init(name: String = "", silence: Double = ScanSettings().silence) throws(RSSIError) {
    let number = cbluez_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_MONITOR))
    guard number >= 0 else { throw socketError(-number, "the monitor channel cannot be opened") }
    reader = try SocketReader(
      stamped: Descriptor(number), framing: .whole, problem: "the monitor channel gives no times")
    adapters.prefix = name
    advice = MonitorAdvice(silence: silence)
  }

  package mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    try sink.started()
    lastLook = SystemClock.now
    advice.begin(at: lastLook)
    var batch = EventBatch()
    while try sink.tick() {
      wait(for: [reader.arrival], milliseconds: 100)
      let failure = reader.take(into: &batch)
      for (index, event) in batch.events.enumerated() {
        // A full queue takes longer to handle than the sink may wait.
        if index % 4096 == 4095, try !sink.tick() { break }
        try handle(batch.bytes.span.extracting(event.range), time: event.time, into: &sink)
      }
      batch.removeAll()
      if let failure { throw socketError(failure, "the monitor channel ended") }
      let now = SystemClock.now
      // Also where the clock was set back.
      if now < lastLook || now - lastLook >= 1_000_000_000 { try look(now, into: &sink) }
    }
    let end = SystemClock.now
    try look(end, into: &sink)
    for loss in adapters.takeOpenLosses(until: end) { try sink.lost(loss) }
  }

  private mutating func handle<Sink: CaptureSink & ~Copyable>(
    _ bytes: Span<UInt8>, time: Int64, into sink: inout Sink
  ) throws {
    guard let (index, packet) = MonitorPacket.read(bytes) else {
      counts.rejectedPackets += 1
      return sink.reject("monitor-packet", count: 1)
    }
    if let kind = packet.kind { counts.otherEvents.add(kind) }
    if let loss = adapters.note(packet, of: index, time: time) { try sink.lost(loss) }
    switch packet {
    case .event(let range):
      if let (name, radio) = adapters.takeDescription(of: index) {
        try sink.describe(adapter: index, name: name, radio: radio)
      }
      latest = index
      let event = bytes.extracting(range)
      advice.note(event: event)
      try sink.receive(event: event, time: time, adapter: index)
    case .command(let opcode, let range):
      if let text = advice.note(
        command: opcode, parameters: bytes.extracting(range), adapter: "hci\(index)")
      {
        sink.note(text)
      }
    default: break
    }
  }

  /// Does what is due once a second.
  private mutating func look<Sink: CaptureSink & ~Copyable>(
    _ now: Int64, into sink: inout Sink
  ) throws {
    sink.account(for: counts)
    counts = DecodingCounts()
    drops.note(reader.dropped)
    if let latest {
      for loss in drops.take() {
        try sink.lost(
          Loss(
            adapter: latest, reason: loss.reason, start: min(lastLook, now), end: now,
            dropped: loss.dropped))
      }
    }
    lastLook = now
    if let text = advice.look(now) { sink.note(text) }
  }
}
