internal import CMosquitto
internal import Glibc
internal import Sightings
import Support
internal import Synchronization

/// A client of libmosquitto: one connection to a broker, its subscriptions and publications.
///
/// The thread that drives it also runs the callbacks, which only take notes. Connecting runs on a
/// separate thread, since looking up a name and reaching a host may take minutes; until its end
/// only `connectionOutcome` may be called.
/// nothing else may be asked of the client than whether that has ended.
final class MQTTClient: @unchecked Sendable {
  /// The answers of the broker since the last look.
  struct Replies {
    /// The code of the answer to the connection; 0 if it is accepted.
    var connection: Int32?
    var isSessionPresent = false
    /// The granted quality of service, or a code of 128 and more.
    var subscription: Int32?
    /// A Boolean value that is true after the end of the subscriptions.
    var isUnsubscribed = false
    /// The reason code (MQTT 5) with which the broker ended the connection.
    var disconnection: Int32?
  }

  /// The outcome of connecting: the library's code and the operating system's.
  struct Outcome {
    var code: Int32
    var systemError: Int32
  }

  let speaksMQTT5: Bool
  private var messages: [BrokerMessage] = []
  private(set) var replies = Replies()
  /// The last error message of the library, such as OpenSSL's about a certificate.
  private(set) var complaint = ""
  private let handle: OpaquePointer
  private let address: MQTTAddress
  private let request: BrokerRequest
  private let isKept: Bool
  private let sessionExpiry: UInt32
  private let outcome = Mutex<Outcome?>(nil)
  private var held = HeldMessages()

  /// The keep-alive interval in seconds.
  private static let keepAlive: Int32 = 15
  /// The initialisation of the library, which must happen once.
  private static let isInitialised: Bool = mosquitto_lib_init() == cmosquitto_success()

  init(
    address: MQTTAddress, request: BrokerRequest, options: GatewayOptions,
    credentials: BrokerCredentials, clientID: String, speaksMQTT5: Bool
  ) throws(RSSIError) {
    isKept = options.clientID != nil
    // MQTT 3.1.1 keeps a session for ever: that of a generated name would never be used again.
    let isClean = !speaksMQTT5 && !isKept
    guard Self.isInitialised, let handle = mosquitto_new(clientID, isClean, nil) else {
      throw RSSIError(.unavailable, "libmosquitto cannot create a client: is the memory full?")
    }
    self.handle = handle
    self.address = address
    self.request = request
    self.speaksMQTT5 = speaksMQTT5
    sessionExpiry = isKept ? options.sessionExpiry : request.sessionExpiry
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    _ = speaksMQTT5 ? cmosquitto_speak_v5(handle) : cmosquitto_speak_v311(handle)
    // Queues packets until `send`, including acknowledgements.
    if request.holdsAcknowledgements { mosquitto_threaded_set(handle, true) }
    if let userName = credentials.userName {
      mosquitto_username_pw_set(handle, userName, credentials.password)
    }
    if let will = request.will {
      mosquitto_will_set(handle, will.topic, Int32(will.payload.count), will.payload, 1, true)
    }
    if address.isEncrypted { try setEncryption(options.caFile) }
  }

  deinit { mosquitto_destroy(handle) }

  /// Starts to connect; `connectionOutcome` has the result.
  func beginConnecting() {
    replies = Replies()
    complaint = ""
    held.expectAgain()
    outcome.withLock { $0 = nil }
    do throws(RSSIError) {
      try detachThread {
        let code = self.connect()
        let systemError = errno
        self.outcome.withLock { $0 = Outcome(code: code, systemError: systemError) }
      }
    } catch {
      // As if the connection had failed: it is tried again.
      outcome.withLock { $0 = Outcome(code: cmosquitto_system_error(), systemError: EAGAIN) }
    }
  }

  /// The outcome of connecting; nil until the end.
  var connectionOutcome: Outcome? { outcome.withLock { $0 } }

  private func connect() -> Int32 {
    guard speaksMQTT5 else {
      return mosquitto_connect(handle, address.host, address.port, Self.keepAlive)
    }
    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    cmosquitto_add_session_expiry(&properties, sessionExpiry)
    // Twice the longest message: a broker may withhold only messages that would be refused anyway.
    cmosquitto_add_packet_limit(&properties, UInt32(2 * GatewayReader.longestMessage))
    return mosquitto_connect_bind_v5(
      handle, address.host, address.port, Self.keepAlive, nil, properties)
  }

  /// Subscribes to the topics with QoS 1.
  func subscribe() -> Int32 {
    var topics: [UnsafeMutablePointer<CChar>?] = request.topics.map { strdup($0) }
    defer { for topic in topics { free(topic) } }
    let options = speaksMQTT5 && !request.takesRetained ? cmosquitto_no_retained() : 0
    return mosquitto_subscribe_multiple(
      handle, nil, Int32(topics.count), &topics, 1, options, nil)
  }

  /// Ends the subscriptions; `replies` shows the end.
  func unsubscribe() -> Int32 {
    var topics: [UnsafeMutablePointer<CChar>?] = request.topics.map { strdup($0) }
    defer { for topic in topics { free(topic) } }
    return mosquitto_unsubscribe_multiple(handle, nil, Int32(topics.count), &topics, nil)
  }

  /// Passes a message to the broker, or keeps it until there is a connection.
  ///
  /// - Parameter quality: 1 for at least once; 0 for at most once, and never without a connection.
  /// - Returns: the library's code.
  func publish(_ payload: [UInt8], to topic: String, quality: Int32, isRetained: Bool) -> Int32 {
    mosquitto_publish(
      handle, nil, topic, Int32(payload.count), payload, quality, isRetained)
  }

  /// Waits at most a number of milliseconds for the broker, and receives its packets.
  func drive(within milliseconds: Int32) -> Int32 {
    guard request.holdsAcknowledgements else { return mosquitto_loop(handle, milliseconds, 1) }
    // An acknowledgement that is held blocks everything after it in the library's queue.
    if held.isEmpty, let failure = failure(of: send()) { return failure }
    if let failure = failure(of: mosquitto_loop_misc(handle)) { return failure }
    if address.isEncrypted {
      // Data that TLS has already decrypted do not make the socket readable.
      if let failure = failure(of: mosquitto_loop_read(handle, 1)) { return failure }
      guard messages.isEmpty else { return cmosquitto_success() }
    }
    var socket = pollfd(fd: mosquitto_socket(handle), events: Int16(POLLIN), revents: 0)
    guard poll(&socket, 1, milliseconds) > 0 else { return cmosquitto_success() }
    return mosquitto_loop_read(handle, 1)
  }

  /// A Boolean value that is true if packets wait for the connection to accept them.
  var isBusy: Bool { mosquitto_want_write(handle) }

  private func failure(of code: Int32) -> Int32? { code == cmosquitto_success() ? nil : code }

  /// Sends queued packets, as far as the connection accepts them.
  private func send() -> Int32 {
    // A write sends one packet; a blocked one leaves the rest for the next call.
    var rest = held.count + 8
    while rest > 0, mosquitto_want_write(handle) {
      let code = mosquitto_loop_write(handle, 1)
      guard code == cmosquitto_success() else { return code }
      rest -= 1
    }
    return cmosquitto_success()
  }

  /// The number of unacknowledged messages.
  var heldMessages: Int { held.count }

  /// The arrival of the first unacknowledged message.
  var heldSince: ContinuousClock.Instant? { held.since }

  /// Acknowledges every message that arrived.
  ///
  /// A connection that fails meanwhile is noticed by the next drive.
  func acknowledge() {
    guard !held.isEmpty else { return }
    _ = send()
    held.acknowledge()
  }

  /// Returns the messages since the last call; a drive brings one or a few.
  func takeMessages() -> [BrokerMessage] {
    defer { messages.removeAll(keepingCapacity: true) }
    return messages
  }

  /// Ends the connection, and the session unless it is named; unacknowledged messages stay with the
  /// broker.
  func close() {
    // A disconnect would send the queue first.
    if !held.isEmpty { shutdown(mosquitto_socket(handle), Int32(SHUT_RDWR)) }
    if speaksMQTT5, !isKept {
      var properties: OpaquePointer?
      cmosquitto_add_session_expiry(&properties, 0)
      mosquitto_disconnect_v5(handle, 0, properties)
      mosquitto_property_free_all(&properties)
    } else {
      mosquitto_disconnect(handle)
    }
    // The broker closes after reading the disconnect; a second is enough.
    for _ in 0..<20 where mosquitto_loop(handle, 50, 1) != cmosquitto_success() { return }
  }

  /// Abandons the connection; connecting again closes it.
  func drop() { mosquitto_disconnect(handle) }

  private func setEncryption(_ caFile: String?) throws(RSSIError) {
    if let caFile {
      guard access(caFile, R_OK) == 0,
        mosquitto_tls_set(handle, caFile, nil, nil, nil, nil) == cmosquitto_success()
      else { throw .usage("\(caFile) is not a readable file of certificates") }
    } else {
      guard cmosquitto_trust_system(handle) == cmosquitto_success() else {
        throw RSSIError(
          .unavailable, "this libmosquitto does not support TLS: install another build")
      }
    }
  }

  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, _ in
      let client = MQTTClient.from(context)
      client.replies.connection = code
      client.replies.isSessionPresent = flags & 1 != 0
      if !client.replies.isSessionPresent { client.held.forget() }
    }
    mosquitto_subscribe_v5_callback_set(handle) { _, context, _, count, granted, _ in
      guard count > 0, let granted else { return }
      // With several topics the worst code counts: a refusal is 128 and more.
      MQTTClient.from(context).replies.subscription = (0..<Int(count)).map { granted[$0] }.max()
    }
    mosquitto_unsubscribe_callback_set(handle) { _, context, _ in
      MQTTClient.from(context).replies.isUnsubscribed = true
    }
    mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
      // The library may call again when it closes, with its own code.
      let client = MQTTClient.from(context)
      if client.replies.disconnection ?? 0 == 0 { client.replies.disconnection = code }
    }
    mosquitto_message_callback_set(handle) { _, context, message in
      guard let message else { return }
      MQTTClient.from(context).take(message.pointee)
    }
    mosquitto_log_callback_set(handle) { _, context, level, text in
      guard cmosquitto_is_error_line(level) != 0, let text else { return }
      MQTTClient.from(context).complaint = String(cString: text)
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> MQTTClient {
    Unmanaged<MQTTClient>.fromOpaque(context!).takeUnretainedValue()
  }

  /// Copies a message; of one that is too long, only enough to exceed the limit.
  private func take(_ message: mosquitto_message) {
    let length = min(Int(message.payloadlen), GatewayReader.longestMessage + 1)
    let topic = UnsafeRawBufferPointer(start: message.topic, count: strlen(message.topic))
    let payload = UnsafeRawBufferPointer(start: message.payload, count: length)
    let arrived = BrokerMessage(
      topic: Array(topic), payload: Array(payload), isRetained: message.retain,
      identifier: message.qos > 0 ? UInt64(UInt16(truncatingIfNeeded: message.mid)) : 0,
      arrival: SystemClock.now)
    guard !request.holdsAcknowledgements || held.isNew(arrived) else { return }
    messages.append(arrived)
  }
}
