internal import Advertising
internal import CBlueZ
internal import Sightings
package import Support

/// The kernel's monitor channel: the HCI traffic of all programs on this machine, on all adapters.
///
/// It neither scans nor changes anything; its events depend on the scanning program. Each adapter
/// is a receiver with the kernel's number, described at its first event.
package struct MonitorSource: CaptureSource {
  private let reader: SocketReader
  private var adapters = MonitoredAdapters()
  private var advice: MonitorAdvice
  private var drops = DropCount()
  private var lastLook: Int64 = 0
  /// The counts of packets other than events since the last report.
  private var counts = DecodingCounts()
  /// The adapter of the latest event, to which losses are attributed: the kernel counts them for
  /// all adapters together.
  private var latest: UInt16?

  /// Opens the channel.
  ///
  /// - Parameters:
  ///   - name: the prefix of the receivers' names, before `/hciN`; empty for just `hciN`.
  ///   - silence: the time without advertisements, in seconds, after which the user is informed
  ///     that no program scans.
  /// - Throws: `RSSIError.permission` without CAP_NET_RAW.
  package init(name: String = "", silence: Double = ScanSettings().silence) throws(RSSIError) {
    let number = cbluez_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_MONITOR))
    guard number >= 0 else { throw socketError(-number, "the monitor channel cannot be opened") }
    reader = try SocketReader(
      stamped: Descriptor(number), framing: .whole,
      problem: "the monitor channel has no times of reception")
    adapters.prefix = name
    advice = MonitorAdvice(silence: silence)
  }

  package mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    try sink.notice(.start)
    lastLook = SystemClock.now
    advice.begin(at: lastLook)
    var batch = EventBatch()
    while try sink.tick() {
      wait(for: [reader.arrival], milliseconds: 100)
      let failure = reader.take(into: &batch)
      for (index, event) in batch.events.enumerated() {
        // Handling a full queue takes longer than the sink may wait.
        if index % 4096 == 4095, try !sink.tick() { break }
        try handle(batch.bytes.span.extracting(event.range), time: event.time, into: &sink)
      }
      batch.removeAll()
      if let failure { throw socketError(failure, "the monitor channel ended") }
      let now = SystemClock.now
      // Also after the clock was set back.
      if now < lastLook || now - lastLook >= 1_000_000_000 { try look(now, into: &sink) }
    }
    let end = SystemClock.now
    try look(end, into: &sink)
    for loss in adapters.takeOpenLosses(until: end) { try sink.notice(.loss(loss)) }
  }

  private mutating func handle<Sink: CaptureSink & ~Copyable>(
    _ bytes: Span<UInt8>, time: Int64, into sink: inout Sink
  ) throws {
    guard let (index, packet) = MonitorPacket.read(bytes) else {
      counts.rejectedPackets += 1
      return try sink.notice(.refusal("monitor-packet", count: 1))
    }
    if let kind = packet.kind { counts.otherEvents.add(kind) }
    if let loss = adapters.note(packet, of: index, time: time) { try sink.notice(.loss(loss)) }
    switch packet {
    case .event(let range):
      if let (name, radio) = adapters.takeDescription(of: index) {
        try sink.notice(.receiver(adapter: index, name: name, radio: radio))
      }
      latest = index
      let event = bytes.extracting(range)
      advice.note(event: event)
      try sink.receive(event: event, time: time, adapter: index)
    case .command(let opcode, let range):
      if let text = advice.note(
        command: opcode, parameters: bytes.extracting(range), adapter: "hci\(index)")
      {
        try sink.notice(.message(text))
      }
    default: break
    }
  }

  /// Performs the checks of each second.
  private mutating func look<Sink: CaptureSink & ~Copyable>(
    _ now: Int64, into sink: inout Sink
  ) throws {
    try sink.notice(.counts(counts))
    counts = DecodingCounts()
    drops.note(reader.dropped)
    if let latest {
      for loss in drops.take() {
        try sink.notice(
          .loss(
            Loss(
              adapter: latest, reason: loss.reason, start: min(lastLook, now), end: now,
              dropped: loss.dropped)))
      }
    }
    lastLook = now
    if let text = advice.look(now) { try sink.notice(.message(text)) }
  }
}

/// The advice for a user of the monitor channel about the scans of other programs.
struct MonitorAdvice {
  private let silence: Int64
  private var quietSince: Int64 = 0
  private var hasSaidSilent = false
  private var hasSaidFiltered: Set<String> = []
  private var hasHeard = false

  init(silence: Double) { self.silence = Int64(silence * 1e9) }

  mutating func begin(at time: Int64) { quietSince = time }

  mutating func note(event: Span<UInt8>) {
    if event.announcesReports { hasHeard = true }
  }

  /// Notes scans that suppress duplicate advertisements: LE Set Scan Enable and its extended form.
  mutating func note(command: UInt16, parameters: Span<UInt8>, adapter: String) -> String? {
    guard command == 0x200C || command == 0x2042, parameters.count >= 2, parameters[0] == 1,
      parameters[1] != 0, hasSaidFiltered.insert(adapter).inserted
    else { return nil }
    return "\(adapter): the scanning program filters duplicates, so most advertisements "
      + "do not arrive; capture \(adapter) itself to get all of them"
  }

  /// Checks the time, about once a second.
  mutating func look(_ now: Int64) -> String? {
    if hasHeard {
      (hasHeard, hasSaidSilent, quietSince) = (false, false, now)
      return nil
    }
    guard !hasSaidSilent, now - quietSince >= silence else { return nil }
    hasSaidSilent = true
    let seconds = (now - quietSince) / 1_000_000_000
    return "no advertisement for \(seconds) s: `monitor` does not scan itself, so another "
      + "program must, such as `bluetoothctl scan le`; or capture hci0 itself"
  }
}

/// The state of each adapter according to the monitor channel.
struct MonitoredAdapters {
  /// The prefix of the adapters' names.
  var prefix = ""

  private struct State {
    var controller = ""
    /// A Boolean value that is true if the sink has the current description.
    var isDescribed = false
    /// A Boolean value that is true if it sent an event, so that its absence matters.
    var isHeard = false
    /// The time since which it is off or gone.
    var absentSince: Int64?
  }

  private var states: [UInt16: State] = [:]

  /// Updates the state of an adapter from a packet.
  ///
  /// - Returns: the interval in which it was off or gone, at its return.
  mutating func note(_ packet: MonitorPacket, of index: UInt16, time: Int64) -> Loss? {
    switch packet {
    case .identity(let address, let manufacturer):
      let controller = "\(address), manufacturer \(manufacturer)"
      if states[index, default: State()].controller != controller {
        states[index, default: State()].controller = controller
        states[index, default: State()].isDescribed = false
      }
    case .off, .disappeared:
      guard states[index]?.isHeard == true, states[index]?.absentSince == nil else { return nil }
      states[index]?.absentSince = time
    case .on:
      guard let since = states[index]?.absentSince else { return nil }
      states[index]?.absentSince = nil
      return Loss(adapter: index, reason: .unplugged, start: min(since, time), end: time)
    case .appeared, .command, .event, .other: break
    }
    return nil
  }

  /// Returns the description that the sink needs before the next event of an adapter; nil if it has
  /// it.
  mutating func takeDescription(of index: UInt16) -> (name: String, radio: Radio)? {
    guard states[index]?.isDescribed != true else { return nil }
    states[index, default: State()].isDescribed = true
    states[index, default: State()].isHeard = true
    var radio = Radio()
    radio.adapter = "hci\(index)"
    radio.controller = states[index]?.controller ?? ""
    radio.timeKind = .kernel
    return (prefix.isEmpty ? "hci\(index)" : "\(prefix)/hci\(index)", radio)
  }

  /// Returns the absences that have not ended.
  mutating func takeOpenLosses(until end: Int64) -> [Loss] {
    states.keys.sorted().compactMap { index in
      guard let since = states[index]?.absentSince else { return nil }
      states[index]?.absentSince = nil
      return Loss(adapter: index, reason: .unplugged, start: min(since, end), end: end)
    }
  }
}
