internal import CMosquitto
internal import Glibc
internal import Sightings
import Support

/// A persistent subscription: connects, and connects again with growing pauses.
struct BrokerLink: ~Copyable {
  enum Event {
    case nothing
    /// The first connection uses MQTT 3.1.1, since the broker refused version 5.
    case fellBack
    case listening(isSessionPresent: Bool)
    /// The connection was lost, with the time since which nothing arrives, nanoseconds since the
    /// Unix epoch.
    case lost(since: Int64, LinkFailure)
    /// Another attempt to connect failed.
    case failedAgain(LinkFailure)
  }

  private enum State {
    case waiting(until: ContinuousClock.Instant)
    case connecting(deadline: ContinuousClock.Instant)
    /// Connected, without an answer to the connection or to the subscription yet.
    case greeting(deadline: ContinuousClock.Instant, isSubscribing: Bool)
    case listening
  }

  private(set) var client: MQTTClient
  private let address: MQTTAddress
  private let request: BrokerRequest
  private let options: GatewayOptions
  private let credentials: BrokerCredentials
  private let clientID: String
  private var state: State
  private var hasListened = false
  private var pause = Self.firstPause
  /// The time at which the broker last responded.
  private var lastWord: Int64 = 0
  private var listeningSince = ContinuousClock.now

  private static let firstPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(30)
  /// The duration of a connection after which the next pause is short again.
  private static let worthwhile = Duration.seconds(10)
  /// The time within which a broker has to answer.
  private static let patience = Duration.seconds(10)

  /// - Parameter request: the request to the broker; by default the address's topic.
  init(
    address: MQTTAddress, request: BrokerRequest? = nil, options: GatewayOptions,
    credentials: BrokerCredentials
  ) throws(RSSIError) {
    let request = request ?? BrokerRequest(topics: [address.topic])
    self.address = address
    self.request = request
    self.options = options
    self.credentials = credentials
    clientID =
      options.clientID ?? "rssi-" + String(UInt64.random(in: .min ... .max), radix: 36)
    client = try MQTTClient(
      address: address, request: request, options: options, credentials: credentials,
      clientID: clientID,
      speaksMQTT5: true)
    state = .waiting(until: .now)
  }

  /// Performs the next step, for at most a number of milliseconds.
  ///
  /// - Throws: `RSSIError` if the first connection fails, or another capture took over the session.
  mutating func step(within milliseconds: Int32) throws(RSSIError) -> Event {
    switch state {
    case .waiting(let until):
      guard ContinuousClock.now >= until else {
        Self.rest(milliseconds)
        return .nothing
      }
      client.beginConnecting()
      state = .connecting(deadline: .now + Self.patience)
      return .nothing
    case .connecting(let deadline):
      return try awaitConnection(deadline, milliseconds)
    case .greeting(let deadline, let isSubscribing):
      let code = client.drive(within: milliseconds)
      return try greet(code, deadline, isSubscribing)
    case .listening: return try listen(client.drive(within: milliseconds))
    }
  }

  /// A Boolean value that is true if there is a working connection.
  var isListening: Bool {
    if case .listening = state { true } else { false }
  }

  /// Waits until the broker has received what was published, and stops publishing.
  ///
  /// If a program closes a socket with unread input, the kernel discards the output that the broker
  /// has not read, including the disconnect.
  mutating func quieten() {
    guard isListening, client.unsubscribe() == cmosquitto_success() else { return }
    let deadline = ContinuousClock.now + .seconds(2)
    while !client.replies.isUnsubscribed, ContinuousClock.now < deadline,
      client.drive(within: 50) == cmosquitto_success()
    {}
  }

  /// Ends the connection, if there is one.
  mutating func close() {
    switch state {
    // A thread that still connects keeps the client and releases it at the end.
    case .waiting, .connecting: break
    case .greeting, .listening: client.close()
    }
  }

  private mutating func awaitConnection(
    _ deadline: ContinuousClock.Instant, _ milliseconds: Int32
  ) throws(RSSIError) -> Event {
    guard let outcome = client.connectionOutcome else {
      if !hasListened, ContinuousClock.now >= deadline {
        throw LinkFailure.noAnswer(address).error
      }
      // Connecting takes either a millisecond or long.
      Self.rest(min(milliseconds, 5))
      return .nothing
    }
    guard outcome.code == cmosquitto_success() else {
      return try fail(LinkFailure(connecting: client, outcome, address))
    }
    state = .greeting(deadline: .now + Self.patience, isSubscribing: false)
    return .nothing
  }

  private mutating func greet(
    _ code: Int32, _ deadline: ContinuousClock.Instant, _ isSubscribing: Bool
  ) throws(RSSIError) -> Event {
    if let answer = client.replies.connection, answer != 0 {
      let failure = LinkFailure(refusal: answer, client, address)
      return failure.isOldBroker ? try fallBack(or: failure) : try fail(failure)
    }
    if let granted = client.replies.subscription, granted >= 128 {
      return try fail(LinkFailure(subscription: granted, client, address))
    }
    guard code == cmosquitto_success(), client.replies.disconnection == nil else {
      let failure = LinkFailure(closed: client, code: code, address)
      let mayBeOld = client.replies.connection == nil && code != cmosquitto_tls_failed()
      return mayBeOld ? try fallBack(or: failure) : try fail(failure)
    }
    if client.replies.subscription != nil {
      hasListened = true
      listeningSince = .now
      lastWord = SystemClock.now
      state = .listening
      return .listening(isSessionPresent: client.replies.isSessionPresent)
    }
    if client.replies.connection == 0, !isSubscribing {
      let code = client.subscribe()
      guard code == cmosquitto_success() else {
        return try fail(LinkFailure(closed: client, code: code, address))
      }
      state = .greeting(deadline: deadline, isSubscribing: true)
    }
    guard ContinuousClock.now < deadline else { return try fail(.noAnswer(address)) }
    return .nothing
  }

  private mutating func listen(_ code: Int32) throws(RSSIError) -> Event {
    let now = SystemClock.now
    guard code != cmosquitto_success() || client.replies.disconnection != nil else {
      lastWord = now
      return .nothing
    }
    let advice = "give each capture its own client id"
    if client.replies.disconnection == Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue) {
      throw .usage(
        "another client of \(address.broker) took over the session \(clientID): \(advice)")
    }
    var failure = LinkFailure(closed: client, code: code, address)
    if ContinuousClock.now - listeningSince >= Self.worthwhile {
      pause = Self.firstPause
    } else if options.clientID != nil {
      // Mosquitto does not report that another client took over the session.
      failure.text += " soon after it was made; if others use the client id \(clientID), \(advice)"
    }
    // After a timeout, the time of the loss is unknown: at most twice the keep-alive interval.
    let isSilence = code == cmosquitto_keep_alive_exceeded()
    let since = isSilence ? now - 30 * Timestamp.second : lastWord
    retry()
    return .lost(since: since, failure)
  }

  /// Tries MQTT 3.1.1 once, before there ever was a connection.
  private mutating func fallBack(or failure: LinkFailure) throws(RSSIError) -> Event {
    guard !hasListened, client.speaksMQTT5 else { return try fail(failure) }
    client = try MQTTClient(
      address: address, request: request, options: options, credentials: credentials,
      clientID: clientID,
      speaksMQTT5: false)
    state = .waiting(until: .now)
    return .fellBack
  }

  /// Ends the first attempt with an error, and any later one with a pause.
  private mutating func fail(_ failure: LinkFailure) throws(RSSIError) -> Event {
    guard hasListened else { throw failure.error }
    if case .greeting = state { client.drop() }
    retry()
    return .failedAgain(failure)
  }

  private mutating func retry() {
    state = .waiting(until: .now + pause)
    pause = min(pause * 2, Self.longestPause)
  }

  private static func rest(_ milliseconds: Int32) {
    usleep(UInt32(milliseconds) * 1000)
  }
}

/// The requests of a client to its broker.
struct BrokerRequest {
  /// The topics to subscribe to.
  var topics: [String]
  /// A Boolean value that is true to receive retained messages.
  var takesRetained = false
  /// The message that the broker publishes, and retains, if the connection ends without a
  /// disconnect.
  var will: (topic: String, payload: [UInt8])?
  /// The time for which the broker keeps messages without a connection, in seconds (MQTT 5).
  var sessionExpiry: UInt32 = 3600

  /// A Boolean value that is true if messages are acknowledged by `MQTTClient.acknowledge`, and not
  /// on receipt.
  var holdsAcknowledgements = false

  init(topics: [String]) { self.topics = topics }
}
