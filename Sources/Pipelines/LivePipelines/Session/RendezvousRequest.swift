package import Capture
package import Support

/// A lobby, and the broker at which its members meet.
package struct RendezvousRequest {
  package var lobby: String
  /// `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  package var broker: String
  package var options: GatewayOptions

  package init(lobby: String, broker: String, options: GatewayOptions = GatewayOptions()) {
    (self.lobby, self.broker, self.options) = (lobby, broker, options)
  }

  package func check() throws(RSSIError) { try requireSessionName(lobby, "lobby") }

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  func channel(
    _ topics: [String], will: (topic: String, payload: [UInt8])? = nil
  ) throws(RSSIError) -> BrokerChannel {
    try BrokerChannel(broker: broker, topics: topics, will: will, options: options)
  }
}

/// Why a member may not take part.
package enum RendezvousRefusal: Equatable, Sendable, CustomStringConvertible {
  /// A member of this name is there.
  case nameTaken(String)
  /// A member of this name took part, was lost and may come back.
  case nameKept(String)
  case full(limit: Int)

  package var description: String {
    switch self {
    case .nameTaken(let name):
      "a member called \(name) is in the lobby: choose another name, or end the other one"
    case .nameKept(let name):
      "\(name) was lost from the running session and may come back: choose another name; to come "
        + "back as \(name), write to the output of its part, in the same folder"
    case .full(let limit):
      "the lobby has its \(limit) members: wait until one leaves, or raise the limit of the leader"
    }
  }
}
