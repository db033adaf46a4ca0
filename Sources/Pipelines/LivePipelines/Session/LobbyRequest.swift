package import Capture
package import Support

/// A lobby, and the broker at which its members meet.
package struct LobbyRequest {
  package var lobby: String
  /// `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  package var broker: String
  package var options: GatewayOptions

  package init(lobby: String, broker: String, options: GatewayOptions = GatewayOptions()) {
    (self.lobby, self.broker, self.options) = (lobby, broker, options)
  }

  package func check() throws(RSSIError) { try requireLobbyName(lobby, "lobby") }

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  func channel(
    _ topics: [String], will: (topic: String, payload: [UInt8])? = nil
  ) throws(RSSIError) -> BrokerChannel {
    try BrokerChannel(broker: broker, topics: topics, will: will, options: options)
  }
}
