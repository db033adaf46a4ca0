internal import Advertising
internal import Sightings
internal import Support

/// Passes the sightings in a broker's messages to a sink, and counts accepted and refused ones.
struct GatewayIntake {
  private var reader: GatewayReader
  private var batch = GatewayBatch()
  private var receivers: GatewayReceivers
  private var refusedTopics: [GatewayRejection: RefusedTopics] = [:]
  /// A Boolean value that is true if any message contained a sighting.
  private var hasSighting = false
  private var reasons = GatewayReasons()
  /// The counts of the messages since the last report.
  private var counts = DecodingCounts()
  private var nextClockNote = ContinuousClock.now + Self.clockNoteInterval

  /// The time between two summaries of wrong clocks.
  private static let clockNoteInterval = Duration.seconds(60)

  /// - Parameters:
  ///   - dialect: the dialect of every message; nil to detect it in each message.
  ///   - place: the source of the messages, such as `mqtt://broker/ruuvi/#`.
  init(dialect: Dialect?, place: String) {
    reader = GatewayReader(dialect: dialect)
    receivers = GatewayReceivers(place: place)
  }

  /// Passes the sightings of a message to the sink.
  mutating func take<Sink: CaptureSink & ~Copyable>(
    _ message: BrokerMessage, _ sink: inout Sink
  ) throws {
    reader.read(message, into: &batch)
    batch.count(in: &counts)
    for reason in batch.rejected {
      try sink.notice(.refusal(reason.rawValue, count: 1))
      if !hasSighting || reason == .unknownDialect {
        refusedTopics[reason, default: RefusedTopics()].add(message.topic)
      }
    }
    let batch = self.batch
    if let account = batch.account { try take(account, batch.bytes, &sink) }
    for index in batch.entries.indices {
      try take(
        batch.entries[index], batch.bytes, lateness: batch.lateness(ofGatewayBeginningAt: index),
        &sink)
    }
  }

  /// Reports the counts since the last call, and wrong clocks once a minute.
  mutating func account<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    if counts.packets > 0 {
      try sink.notice(.counts(counts))
      counts = DecodingCounts()
    }
    if ContinuousClock.now >= nextClockNote {
      try receivers.noteBadClocks(to: &sink)
      nextClockNote = .now + Self.clockNoteInterval
    }
  }

  /// Reports the final summary.
  mutating func finish<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    try account(to: &sink)
    try receivers.noteBadClocks(to: &sink)
    for (reason, topics) in refusedTopics.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where !hasSighting || reason == .unknownDialect {
      try topics.note(reason, to: &sink)
    }
  }

  /// Records a loss of all gateways from a time to now.
  func recordOutage<Sink: CaptureSink & ~Copyable>(
    since start: Int64, _ sink: inout Sink
  ) throws {
    let end = max(SystemClock.now, start)
    for adapter in 0..<receivers.count {
      try sink.notice(
        .loss(
          Loss(adapter: UInt16(adapter), reason: .disconnected, start: start, end: end)))
    }
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ account: GatewayBatch.Account, _ bytes: [UInt8], _ sink: inout Sink
  ) throws {
    let name = bytes.span.extracting(account.gateway)
    guard let adapter = try receivers.number(of: name, listening: account.radio, &sink) else {
      return try sink.notice(.refusal(GatewayRejection.tooManyGateways.rawValue, count: 1))
    }
    for var loss in account.losses {
      loss.adapter = adapter
      try sink.notice(.loss(loss))
    }
    for row in account.rejected {
      try sink.notice(.refusal(reasons.known(row.reason), count: row.count))
    }
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ entry: GatewayBatch.Entry, _ bytes: [UInt8], lateness: Int64?, _ sink: inout Sink
  ) throws {
    var entry = entry
    let name = bytes.span.extracting(entry.gateway)
    guard let adapter = try receivers.number(of: &entry, name, lateness: lateness, &sink) else {
      counts.rejectedReports += 1
      return try sink.notice(.refusal(GatewayRejection.tooManyGateways.rawValue, count: 1))
    }
    counts.sightings += 1
    hasSighting = true
    switch entry.beacon {
    case .report(var report, let range):
      report.adapter = adapter
      let payload = bytes.span.extracting(range)
      try sink.receive(report, payload: payload)
    case .data(let address, let range, let eventType, let isRebuilt):
      var report = AdvertisingReport(
        time: entry.time, address: address, rssi: entry.rssi, eventType: eventType)
      report.adapter = adapter
      report.channel = entry.channel
      report.angle = entry.angle
      // Gateways do not report the PHY that they listened on.
      report.primaryPHY = 0
      report.dataStatus = isRebuilt ? 1 : 0
      let payload = bytes.span.extracting(range)
      try sink.receive(report, payload: payload)
    case .name(let beacon, let measuredPower):
      var sighting = GatewaySighting(
        time: entry.time, adapter: adapter, beacon: beacon, rssi: entry.rssi)
      sighting.measuredPower = measuredPower
      sighting.channel = entry.channel
      sighting.angle = entry.angle
      try sink.receive(sighting)
    }
  }
}

/// The refusal reasons that gateways report; their number is limited, because a hostile gateway
/// could send any.
struct GatewayReasons {
  /// The number of different reasons that are kept; later ones count as one.
  static let most = 256
  /// The reason under which the others count.
  static let other = "other-reason"

  private var reasons: Set<String> = []

  /// Returns the reason, or `other` for an excess or malformed one.
  mutating func known(_ reason: String) -> String {
    if reasons.contains(reason) { return reason }
    guard reasons.count < Self.most, (1...TextLimit.reason.bytes).contains(reason.utf8.count),
      reason.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else { return Self.other }
    reasons.insert(reason)
    return reason
  }
}
