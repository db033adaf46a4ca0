internal import CMosquitto
package import Support

/// A connection to a broker over which programs exchange messages.
///
/// A lost connection is restored, with growing pauses; retained messages are then delivered again,
/// and messages that were published meanwhile are lost.
package struct BrokerChannel: ~Copyable {
  /// A message, of which only the length is checked.
  package struct Message: Sendable {
    package var topic: String
    package var payload: [UInt8]
    /// A Boolean value that is true if the broker retained it from before the subscription.
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool) {
      (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
  }

  package enum Event: Sendable {
    case nothing
    /// The connection exists, for the first time or again.
    case connected
    /// The connection ended, for a given reason; it is restored.
    case lost(String)
    /// Another attempt to connect failed, for a given reason; attempts continue.
    case failedAgain(String)
  }

  private var link: BrokerLink
  /// The broker's name in messages.
  package let name: String

  /// - Parameters:
  ///   - broker: `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  ///   - topics: the topics to subscribe to.
  ///   - will: the message to publish if this program ends without a disconnect.
  ///   - options: the connection's options.
  ///   - environment: the source of `RSSI_MQTT_PASSWORD`; nil for that of the process.
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

  /// Performs the next step, for at most a number of milliseconds.
  ///
  /// - Throws: `RSSIError` if the first connection fails.
  package mutating func step(within milliseconds: Int32) throws(RSSIError) -> Event {
    switch try link.step(within: milliseconds) {
    case .nothing, .fellBack: .nothing
    case .listening: .connected
    case .lost(_, let failure): .lost(failure.text)
    case .failedAgain(let failure): .failedAgain(failure.text)
    }
  }

  /// Returns the messages since the last call.
  package mutating func takeMessages() -> [Message] {
    link.client.takeMessages().map { message in
      Message(
        topic: String(decoding: message.topic, as: UTF8.self), payload: message.payload,
        isRetained: message.isRetained)
    }
  }

  /// Publishes a message, which is lost without a connection.
  ///
  /// - Parameters:
  ///   - isRetained: whether the broker keeps it for later subscribers; an empty one then removes
  ///     the retained one.
  ///   - isUrgent: whether the message is worthless once it is late, such as a time request.
  /// - Returns: whether there was a connection.
  @discardableResult
  package mutating func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool = false, isUrgent: Bool = false
  ) -> Bool {
    link.isListening
      && link.client.publish(
        payload, to: topic, quality: isUrgent ? 0 : 1, isRetained: isRetained)
        == cmosquitto_success()
  }

  /// A Boolean value that is true if messages wait because the connection is too slow.
  package var isBusy: Bool { link.isListening && link.client.isBusy }

  /// Disconnects, so that the broker does not publish the will.
  package mutating func close() {
    link.quieten()
    link.close()
  }
}
