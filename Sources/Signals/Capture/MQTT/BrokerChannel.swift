internal import CMosquitto
package import Support

/// A connection to a broker over which programs talk to each other.
///
/// A lost connection is made again, with growing pauses; what the broker keeps is then handed over
/// again, and nothing of what was published meanwhile.
package struct BrokerChannel: ~Copyable {
  /// A message, of which nothing is checked but its length.
  package struct Message: Sendable {
    package var topic: String
    package var payload: [UInt8]
    /// A Boolean value that is true if the broker kept it from before the subscription.
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool) {
      (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
  }

  package enum Event: Sendable {
    case nothing
    /// There is a connection, for the first time or again.
    case connected
    /// The connection ended, for a reason in words; it is made again.
    case lost(String)
    /// Connecting again failed, for a reason in words; it is tried on.
    case failedAgain(String)
  }

  private var link: BrokerLink
  /// The broker as messages call it.
  package let name: String

  /// - Parameters:
  ///   - broker: `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  ///   - topics: what to listen to.
  ///   - will: what others shall read where this program ends without a goodbye.
  ///   - options: how to talk to the broker.
  ///   - environment: where `RSSI_MQTT_PASSWORD` is looked up; nil for that of the process.
  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  package init(
    broker: String, topics: [String], will: (topic: String, payload: [UInt8])? = nil,
    options: GatewayOptions = GatewayOptions(), environment: [String: String]? = nil
  ) throws(RSSIError) {
    let address = try MQTTAddress(broker: broker, topic: topics.first ?? "#")
    let credentials = try BrokerCredentials(
      user: address.user, variable: SecretVariable.brokerPassword, options: options,
      environment: environment ?? processEnvironment())
    var request = BrokerRequest(topics: topics)
    request.takesRetained = true
    request.will = will
    request.sessionExpiry = 0
    let link = try BrokerLink(
      address: address, request: request, options: options, credentials: credentials)
    self.link = link
    name = address.broker
  }

  /// Does what is next, for so many milliseconds at most.
  ///
  /// - Throws: `RSSIError` where the first connection fails.
  package mutating func step(within milliseconds: Int32) throws(RSSIError) -> Event {
    switch try link.step(within: milliseconds) {
    case .nothing, .fellBack: .nothing
    case .listening: .connected
    case .lost(_, let failure): .lost(failure.text)
    case .failedAgain(let failure): .failedAgain(failure.text)
    }
  }

  /// The messages that arrived since the last look.
  package mutating func takeMessages() -> [Message] {
    link.client.takeMessages().map { message in
      Message(
        topic: String(decoding: message.topic, as: UTF8.self), payload: message.payload,
        isRetained: message.isRetained)
    }
  }

  /// Publishes a message; without a connection it is lost, unless it is asked for again.
  ///
  /// - Parameters:
  ///   - isRetained: whether the broker keeps it for those who come later; an empty one then takes
  ///     back what it kept.
  ///   - isUrgent: whether it is worthless once it is late, as a question for the time.
  /// - Returns: whether the broker was there to take it.
  @discardableResult
  package mutating func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool = false, isUrgent: Bool = false
  ) -> Bool {
    link.isListening
      && link.client.publish(
        payload, to: topic, quality: isUrgent ? 0 : 1, isRetained: isRetained)
        == cmosquitto_success()
  }

  /// A Boolean value that is true if something waits to be sent, as the connection is slower than
  /// what is published.
  package var isBusy: Bool { link.isListening && link.client.isBusy }

  /// States goodbye: the broker then keeps the will to itself.
  package mutating func close() {
    link.quieten()
    link.close()
  }
}
