internal import Sightings
package import Support

/// Gateways that publish to an MQTT broker: `mqtt://[USER@]HOST[:PORT]/TOPIC`.
///
/// Each gateway is a separate receiver. Messages are subscribed to with QoS 1; a topic
/// `$share/GROUP/…` divides them among the captures of a group. A lost connection is restored, with
/// growing pauses, and recorded as a loss of every known gateway.
package struct MQTTSource: CaptureSource {
  private let address: MQTTAddress
  private let options: GatewayOptions
  private let credentials: BrokerCredentials
  private var gateways: GatewayIntake

  /// The time between two calls of the sink's `tick`, in milliseconds.
  private static let tickInterval: Int32 = 50

  /// - Parameters:
  ///   - url: the broker and the topic.
  ///   - options: the connection's options, and the dialect of the messages.
  ///   - environment: the source of `RSSI_MQTT_PASSWORD`; nil for that of the process.
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
    // An error of the sink is thrown by the loop.
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

  /// Returns a Boolean value that is true if messages must be acknowledged before the sink saves
  /// them by itself: the broker sends no more until then, or sends a ping whose answer waits behind
  /// the acknowledgements.
  private static func isUrgent(_ client: MQTTClient, isIdle: Bool) -> Bool {
    guard let since = client.heldSince else { return false }
    return isIdle && client.heldMessages >= fewestInFlight
      || ContinuousClock.now - since >= longestHold
  }

  /// The smallest limit of unacknowledged messages at a broker: RabbitMQ 10, Mosquitto with MQTT
  /// 3.1.1 20.
  private static let fewestInFlight = 10
  /// The maximum time without an acknowledgement, a third of the keep-alive interval.
  private static let longestHold = Duration.seconds(5)

  /// A time without a connection.
  private struct Outage {
    var start: Int64
    /// The reason reported last, so that each is reported once.
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
      try sink.notice(.message("\(failure.text); still trying"))
    }
  }
}
