internal import Sightings
package import Support

/// Gateways that publish what they hear to an MQTT broker: `mqtt://[USER@]HOST[:PORT]/TOPIC`.
///
/// Each gateway is a receiver of its own. Messages are asked for at least once (QoS 1); a topic
/// `$share/GROUP/…` splits them among the captures of a group. A lost connection is made again,
/// with growing pauses, and recorded as a loss of every gateway known.
package struct MQTTSource: CaptureSource {
  private let address: MQTTAddress
  private let options: GatewayOptions
  private let credentials: BrokerCredentials
  private var gateways: GatewayIntake

  /// Milliseconds from one call of the sink's `tick` to the next.
  private static let tickInterval: Int32 = 50

  /// - Parameters:
  ///   - url: the broker and the topic.
  ///   - options: how to talk to the broker, and what the messages are in.
  ///   - environment: where `RSSI_MQTT_PASSWORD` is looked up; nil for that of the process.
  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  package init(
    url: String, options: GatewayOptions = GatewayOptions(),
    environment: [String: String]? = nil
  ) throws(RSSIError) {
    address = try MQTTAddress(url: url)
    credentials = try BrokerCredentials(
      user: address.user, variable: SecretVariable.brokerPassword, options: options,
      environment: environment ?? processEnvironment())
    self.options = options
    gateways = GatewayIntake(dialect: options.dialect, place: address.place)
  }

  package mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    var request = BrokerRequest(topics: [address.topic])
    request.holdsAcknowledgements = true
    var link = try BrokerLink(
      address: address, request: request, options: options, credentials: credentials)
    defer { link.close() }
    var outage: Outage?
    var nextTick = ContinuousClock.now
    // The sink has thrown what it has to throw.
    defer { try? gateways.finish(to: &sink) }
    while true {
      let event = try link.step(within: Self.tickInterval)
      try take(event, &outage, &sink)
      let messages = link.client.takeMessages()
      for message in messages { try gateways.take(message, &sink) }
      guard ContinuousClock.now >= nextTick else { continue }
      try gateways.account(to: &sink)
      let goesOn = try sink.tick()
      if !goesOn || Self.isUrgent(link.client, isIdle: messages.isEmpty) { try sink.save() }
      if sink.isSaved { link.client.acknowledge() }
      guard goesOn else { break }
      nextTick = .now + .milliseconds(Self.tickInterval)
    }
    if let outage { try gateways.recordOutage(since: outage.start, &sink) }
  }

  /// Returns true if messages must be acknowledged before the sink saves them by itself: the broker
  /// sends nothing more until then, or asks whether this client is there, whose answer waits behind
  /// them.
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
    /// The reason that was stated last, so that each is stated once.
    var reason: String
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ event: BrokerLink.Event, _ outage: inout Outage?, _ sink: inout Sink
  ) throws {
    switch event {
    case .nothing: break
    case .fellBack:
      try sink.notice(.message("\(address.broker) refuses MQTT 5: trying MQTT 3.1.1"))
    case .listening(let isSessionPresent):
      try sink.notice(.start)
      guard let ended = outage else { return }
      outage = nil
      try gateways.recordOutage(since: ended.start, &sink)
      try sink.notice(
        .message(
          "connected to \(address.broker) again; "
            + (isSessionPresent
              ? "it kept what was published with QoS 1 meanwhile"
              : "what was published meanwhile is lost")))
    case .lost(let since, let failure):
      outage = Outage(start: since, reason: failure.text)
      try sink.notice(.message("\(failure.text); connecting again"))
    case .failedAgain(let failure):
      guard outage?.reason != failure.text else { return }
      outage?.reason = failure.text
      try sink.notice(.message("\(failure.text); trying on"))
    }
  }
}
