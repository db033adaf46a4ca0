public import Capture
public import Support

/// A lobby, and the broker at which its members meet.
public struct RendezvousRequest: Sendable {
  /// The name of the lobby.
  public var lobby: String
  /// The broker: `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  public var broker: String
  /// The user, the certificate and other options of the connection.
  public var options: GatewayOptions

  /// Creates a request.
  public init(lobby: String, broker: String, options: GatewayOptions = GatewayOptions()) {
    (self.lobby, self.broker, self.options) = (lobby, broker, options)
  }

  /// Refuses a name that no lobby can have.
  ///
  /// - Throws: `RSSIError` of kind `usage`.
  public func check() throws(RSSIError) { try requireSessionName(lobby, "lobby") }

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  func channel(
    _ topics: [String], will: (topic: String, payload: [UInt8])? = nil
  ) throws(RSSIError) -> BrokerChannel {
    try BrokerChannel(broker: broker, topics: topics, will: will, options: options)
  }
}

/// The terms on which a leader opens a session.
public struct SessionTerms: Equatable, Sendable {
  /// The number of members that must be ready, with the leader.
  public var members = 2
  /// The largest number of members.
  public var maxMembers = 8
  /// The duration of the session; nil if it goes on until it is stopped.
  public var duration: Duration?

  /// Creates terms.
  public init(members: Int = 2, maxMembers: Int = 8, duration: Duration? = nil) {
    (self.members, self.maxMembers, self.duration) = (members, maxMembers, duration)
  }
}

/// A session to take part in, and its recording.
public struct SessionRequest: Sendable {
  /// The lobby of the session.
  public var lobby: RendezvousRequest
  /// The recording to make; each part is a separate output.
  public var recording: CaptureRequest
  /// The name of the first part; further ones are numbered.
  public var output: String
  /// The name of this member.
  public var name: String
  /// The terms of the session that it opens; nil to join the session of another.
  public var terms: SessionTerms?
  /// The longest recording of this member; nil = until the session ends.
  public var duration: Duration?
  /// A Boolean value that is true if a request to stop ends the session for all members.
  public var stopAll = false

  /// Creates a request to join the session of another.
  public init(
    lobby: RendezvousRequest, name: String, recording: CaptureRequest, output: String
  ) {
    (self.lobby, self.name, self.output) = (lobby, name, output)
    self.recording = recording
    self.recording.output = output
    // Gateways have other names; the merged trace puts the member's before them.
    if !recording.source.name.isGateways { self.recording.receiver = name }
    self.recording.trace = recording.trace ?? lobby.lobby
  }

  /// - Throws: `RSSIError` of kind `usage` for values that cannot be met, alone or together.
  public func check() throws(RSSIError) {
    try lobby.check()
    try requireSessionName(name, "member")
    try recording.check()
    guard let terms else { return }
    guard (1...256).contains(terms.maxMembers), (1...terms.maxMembers).contains(terms.members)
    else {
      throw RSSIError(
        .usage,
        "`members` \(terms.members) and `maxMembers` \(terms.maxMembers) do not go together: write "
          + "1 to 256, the first not above the second"
      )
    }
  }
}
