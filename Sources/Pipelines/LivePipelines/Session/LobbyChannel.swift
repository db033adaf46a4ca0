import Capture
import Support

/// A connection over which the members of a lobby exchange messages.
protocol LobbyChannel: ~Copyable {
  /// Does what is next, for a number of milliseconds at most.
  mutating func step(within milliseconds: Int32) throws(RSSIError) -> BrokerChannel.Event

  /// The messages that arrived since the last call.
  mutating func takeMessages() -> [BrokerChannel.Message]

  /// Publishes a message; it is lost without a connection.
  ///
  /// - Parameters:
  ///   - isRetained: whether later subscribers get it; an empty message removes the retained one.
  ///   - isUrgent: whether it is worthless once it is late.
  /// - Returns: whether it was accepted.
  @discardableResult
  mutating func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool, isUrgent: Bool
  ) -> Bool

  mutating func close()
}

extension LobbyChannel where Self: ~Copyable {
  @discardableResult
  mutating func publish(_ payload: [UInt8], to topic: String) -> Bool {
    publish(payload, to: topic, isRetained: false, isUrgent: false)
  }
}

extension BrokerChannel: LobbyChannel {}
