internal import CMosquitto
internal import Glibc
internal import Sightings
import Support

/// A subscription that is kept up: connects, and connects again with growing pauses.
struct BrokerLink: ~Copyable {
  enum Event {
    case nothing
    /// The first connection speaks MQTT 3.1.1, since the broker refused version 5.
    case fellBack
    case listening(isSessionPresent: Bool)
    /// Nothing arrives any more since a time, nanoseconds since the Unix epoch.
    case lost(since: Int64, LinkFailure)
    /// Connecting again failed.
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
  /// The time at which the broker was last known to be there.
  private var lastWord: Int64 = 0
  private var listeningSince = ContinuousClock.now

  private static let firstPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(30)
  /// A connection that ends sooner was not worth a quick new one.
  private static let worthwhile = Duration.seconds(10)
  /// The time that a broker may take for an answer.
  private static let patience = Duration.seconds(10)

  /// - Parameter request: what to ask of the broker; the address's topic unless given.
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

  /// Does what is next, for so many milliseconds at most.
  ///
  /// - Throws: `RSSIError` where the first connection fails, or another capture took the
  /// session.
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

  /// A Boolean value that is true if there is a connection that takes and brings messages.
  var isListening: Bool {
    if case .listening = state { true } else { false }
  }

  /// Waits until the broker has taken what was published, and sends nothing any more.
  ///
  /// A program that closes while something arrives makes the kernel throw away what the broker has
  /// not read: the goodbye with it.
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
    // A thread that still connects keeps the client and lets go of it when it is done.
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
      // A connection is made in a millisecond or takes long.
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
    let advice = "give each capture a client id of its own"
    if client.replies.disconnection == Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue) {
      throw .usage(
        "another client of \(address.broker) took over the session \(clientID): \(advice)")
    }
    var failure = LinkFailure(closed: client, code: code, address)
    if ContinuousClock.now - listeningSince >= Self.worthwhile {
      pause = Self.firstPause
    } else if options.clientID != nil {
      // Mosquitto does not show that it was for another client of that name.
      failure.text += " soon after it was made; if others use the client id \(clientID), \(advice)"
    }
    // After a silence, it is not known how long ago the line went dead: twice the time of asking.
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

/// The wishes of a client at its broker.
struct BrokerRequest {
  /// The topics to subscribe to.
  var topics: [String]
  /// A Boolean value that is true if it wants messages that the broker kept from before.
  var takesRetained = false
  /// The message that the broker publishes, and keeps, if the connection ends without a goodbye.
  var will: (topic: String, payload: [UInt8])?
  /// Seconds for which the broker keeps what arrives without a connection (MQTT 5).
  var sessionExpiry: UInt32 = 3600

  /// A Boolean value that is true if messages are acknowledged when `MQTTClient.acknowledge` is
  /// called, and not on receipt.
  var holdsAcknowledgements = false

  init(topics: [String]) { self.topics = topics }
}
