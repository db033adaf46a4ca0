internal import Advertising
internal import Sightings
package import Support

/// Gateways that publish what they hear to an MQTT broker: `mqtt://[USER@]HOST[:PORT]/TOPIC`.
///
/// Each gateway is a receiver of its own. Messages are asked for at least once (QoS 1); a topic
/// `$share/GROUP/…` splits them among the captures of a group. A lost connection is made again,
/// with growing pauses, and recorded as a loss of every gateway known.
package struct MQTTSource: CaptureSource {
  private let address: MQTTAddress
  private let options: MQTTOptions
  private let credentials: MQTTCredentials
  private var reader: GatewayReader
  private var batch = GatewayBatch()
  private var receivers: GatewayReceivers
  private var unknownTopics = UnknownTopics()
  /// What became of the messages since they were last accounted for.
  private var counts = DecodingCounts()

  /// Milliseconds from one call of the sink's `tick` to the next.
  private static let tickInterval: Int32 = 50
  /// The time from one summary of wrong clocks to the next.
  private static let clockNoteInterval = Duration.seconds(60)

  /// - Parameters:
  ///   - url: the broker and the topic.
  ///   - options: how to talk to the broker, and what the messages are in.
  ///   - environment: where `RSSI_MQTT_PASSWORD` is looked up; nil for that of the process.
  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  package init(
    url: String, options: MQTTOptions = MQTTOptions(),
    environment: [String: String]? = nil
  ) throws(RSSIError) {
    address = try MQTTAddress(url: url)
    credentials = try MQTTCredentials(
      address: address, options: options,
      environment: environment ?? processEnvironment())
    self.options = options
    reader = GatewayReader(dialect: options.dialect)
    receivers = GatewayReceivers(place: address.place)
  }

  package mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    var request = BrokerRequest(topics: [address.topic])
    request.holdsAcknowledgements = true
    var link = try BrokerLink(
      address: address, request: request, options: options, credentials: credentials)
    defer { link.close() }
    var outage: Outage?
    var nextTick = ContinuousClock.now
    var nextClockNote = nextTick + Self.clockNoteInterval
    defer {
      account(to: &sink)
      receivers.noteBadClocks(to: &sink)
      unknownTopics.note(to: &sink)
    }
    while true {
      let event = try link.step(within: Self.tickInterval)
      try take(event, &outage, &sink)
      let messages = link.client.takeMessages()
      for message in messages { try take(message, &sink) }
      guard ContinuousClock.now >= nextTick else { continue }
      account(to: &sink)
      if ContinuousClock.now >= nextClockNote {
        receivers.noteBadClocks(to: &sink)
        nextClockNote = .now + Self.clockNoteInterval
      }
      let goesOn = try sink.tick()
      if !goesOn || Self.isUrgent(link.client, isIdle: messages.isEmpty) { try sink.save() }
      if sink.isSaved { link.client.acknowledge() }
      guard goesOn else { break }
      nextTick = .now + .milliseconds(Self.tickInterval)
    }
    if let outage { try recordLoss(since: outage.start, &sink) }
  }

  /// Whether messages must be acknowledged before the sink saves them by itself: the broker sends
  /// nothing more until then, or asks whether this client is there, whose answer waits behind them.
  private static func isUrgent(_ client: MQTTClient, isIdle: Bool) -> Bool {
    guard let since = client.heldSince else { return false }
    return isIdle && client.heldMessages >= fewestInFlight
      || ContinuousClock.now - since >= longestHold
  }

  /// The fewest unacknowledged messages at which a broker waits: RabbitMQ 10, Mosquitto with MQTT
  /// 3.1.1 20.
  private static let fewestInFlight = 10
  /// A third of the time after which either side asks whether the other is there.
  private static let longestHold = Duration.seconds(5)

  /// A time without a connection.
  private struct Outage {
    var start: Int64
    /// What was said of it last, so that it is said once.
    var reason: String
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ event: BrokerLink.Event, _ outage: inout Outage?, _ sink: inout Sink
  ) throws {
    switch event {
    case .nothing: break
    case .fellBack:
      sink.note("\(address.broker) refuses MQTT 5: trying MQTT 3.1.1")
    case .listening(let isSessionPresent):
      try sink.started()
      guard let ended = outage else { return }
      outage = nil
      try recordLoss(since: ended.start, &sink)
      sink.note(
        "connected to \(address.broker) again; "
          + (isSessionPresent
            ? "it kept what was published with QoS 1 meanwhile"
            : "what was published meanwhile is lost"))
    case .lost(let since, let failure):
      outage = Outage(start: since, reason: failure.text)
      sink.note("\(failure.text); connecting again")
    case .failedAgain(let failure):
      guard outage?.reason != failure.text else { return }
      outage?.reason = failure.text
      sink.note("\(failure.text); trying on")
    }
  }

  private func recordLoss<Sink: CaptureSink & ~Copyable>(
    since start: Int64, _ sink: inout Sink
  ) throws {
    let end = max(SystemClock.now, start)
    for adapter in 0..<receivers.count {
      try sink.lost(
        Loss(adapter: UInt16(adapter), reason: .disconnected, start: start, end: end))
    }
  }

  private mutating func account<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) {
    guard counts.packets > 0 else { return }
    sink.account(for: counts)
    counts = DecodingCounts()
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ message: MQTTMessage, _ sink: inout Sink
  ) throws {
    reader.read(message, into: &batch)
    batch.count(in: &counts)
    if batch.rejected.contains(.unknownDialect) { unknownTopics.add(message.topic) }
    for reason in batch.rejected { sink.reject(reason.rawValue, count: 1) }
    let batch = self.batch
    for entry in batch.entries { try take(entry, batch.bytes, &sink) }
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ entry: GatewayBatch.Entry, _ bytes: [UInt8], _ sink: inout Sink
  ) throws {
    let name = bytes.span.extracting(entry.gateway)
    guard let adapter = try receivers.number(of: entry, name, &sink) else {
      counts.rejectedReports += 1
      return sink.reject(GatewayRejection.tooManyGateways.rawValue, count: 1)
    }
    counts.sightings += 1
    switch entry.beacon {
    case .data(let address, let range, let eventType, let isRebuilt):
      var report = AdvertisingReport(
        time: entry.time, address: address, rssi: entry.rssi, eventType: eventType)
      report.adapter = adapter
      // Gateways do not tell what they listened on.
      report.primaryPHY = 0
      report.dataStatus = isRebuilt ? 1 : 0
      let payload = bytes.span.extracting(range)
      try sink.receive(report, payload: payload)
    case .name(let beacon, let measuredPower):
      var sighting = NamedSighting(
        time: entry.time, adapter: adapter, beacon: beacon, rssi: entry.rssi)
      sighting.measuredPower = measuredPower
      try sink.receive(sighting)
    }
  }
}
