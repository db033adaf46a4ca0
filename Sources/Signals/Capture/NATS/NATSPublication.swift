internal import CNATS
internal import Glibc
internal import Support

/// Messages published to a subject, in order, each until the stream acknowledges it.
///
/// A lost connection is not restored here: unacknowledged messages have to be published again
/// before later ones, which is the caller's task.
final class NATSPublication {
  private let connection: NATSConnection
  private let subject: String
  private let inbox: String
  private let replies: OpaquePointer
  private let document = JSONDocument(maximumValues: 1000)
  /// The number of the next message, and of the first unacknowledged one.
  private var published: UInt64 = 0
  private var awaited: UInt64 = 0
  /// One Boolean value per message from `awaited` on, true if it is acknowledged.
  private var isAcknowledged: [Bool] = []
  private var heard = ContinuousClock.now

  /// The time without an acknowledgement after which a connection counts as lost.
  private static let patience = Duration.seconds(5)

  /// - Throws: `RSSIError` if no stream takes the subject, or the user lacks permission.
  init(_ connection: NATSConnection, subject: String) throws(RSSIError) {
    (self.connection, self.subject) = (connection, subject)
    var name: UnsafeMutablePointer<CChar>?
    var subscription: OpaquePointer?
    guard natsInbox_Create(&name) == NATS_OK, let name else {
      throw RSSIError(.unavailable, "the NATS library cannot be initialised: is the memory full?")
    }
    inbox = String(cString: name)
    natsInbox_Destroy(name)
    let status = natsConnection_SubscribeSync(&subscription, connection.handle, inbox + ".*")
    guard status == NATS_OK, let subscription else {
      throw connection.failure("receive acknowledgements", status)
    }
    replies = subscription
    try probe()
  }

  deinit { natsSubscription_Destroy(replies) }

  /// A Boolean value that is true if everything published was acknowledged.
  var isIdle: Bool { awaited == published }

  /// The maximum length of a message at the server, in bytes; the rest is for headers.
  var longest: Int { Int(natsConnection_GetMaxPayload(connection.handle)) - 256 }

  /// Publishes a message.
  ///
  /// - Parameter id: the identifier by which the server recognises duplicates.
  func publish(_ payload: [UInt8], id: String) throws(RSSIError) {
    if isIdle { heard = .now }
    try send(payload, header: "Nats-Msg-Id", id, reply: "\(inbox).\(published)")
    published += 1
    isAcknowledged.append(false)
  }

  /// Receives acknowledgements.
  ///
  /// - Returns: the number of the oldest messages that were acknowledged since the last call.
  /// - Throws: `RSSIError` if the server refused a message, or the connection is lost.
  func takeAcknowledgements(within milliseconds: Int64) throws(RSSIError) -> Int {
    var wait = milliseconds
    while let message = try nextReply(within: wait) {
      defer { natsMsg_Destroy(message) }
      wait = 0
      heard = .now
      guard let number = number(of: message), number >= awaited, number < published else {
        continue
      }
      if let problem = refusal(in: message) { throw problem }
      isAcknowledged[Int(number - awaited)] = true
    }
    let count = isAcknowledged.prefix { $0 }.count
    isAcknowledged.removeFirst(count)
    awaited += UInt64(count)
    guard !connection.isClosed, connection.isConnected else { throw lost }
    if !isIdle, ContinuousClock.now - heard > Self.patience {
      throw connection.failure("publish to \(subject)", NATS_TIMEOUT)
    }
    return count
  }

  private var lost: RSSIError {
    let complaint = connection.complaint
    return RSSIError(
      .unavailable,
      "the connection to \(connection.broker) is lost"
        + (complaint.isEmpty ? "" : " (\(complaint))"))
  }

  /// Checks that a stream takes the subject and that the user may publish to it: a message with an
  /// impossible expected stream name is refused by the stream, and not stored.
  private func probe() throws(RSSIError) {
    try send([], header: "Nats-Expected-Stream", ".", reply: inbox + ".probe")
    natsConnection_FlushTimeout(connection.handle, NATSConnection.patience)
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline, !connection.isClosed {
      if let message = try nextReply(within: 50) {
        natsMsg_Destroy(message)
        return
      }
      guard connection.complaint.isEmpty else { break }
    }
    throw connection.failure("publish to \(subject)", NATS_TIMEOUT)
  }

  private func send(
    _ payload: [UInt8], header: String, _ value: String, reply: String
  ) throws(RSSIError) {
    var message: OpaquePointer?
    var status = payload.withUnsafeBytes {
      natsMsg_Create(
        &message, subject, reply, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32($0.count))
    }
    defer { natsMsg_Destroy(message) }
    if status == NATS_OK { status = natsMsgHeader_Set(message, header, value) }
    if status == NATS_OK { status = natsConnection_PublishMsg(connection.handle, message) }
    guard status == NATS_OK else { throw connection.failure("publish to \(subject)", status) }
  }

  /// Returns the next reply; nil if none arrives in time.
  private func nextReply(within milliseconds: Int64) throws(RSSIError) -> OpaquePointer? {
    var message: OpaquePointer?
    let status = natsSubscription_NextMsg(&message, replies, milliseconds)
    switch status {
    case NATS_OK:
      guard let message, natsMsg_IsNoResponders(message) else { return message }
      natsMsg_Destroy(message)
      throw noStream
    case NATS_TIMEOUT: return nil
    case NATS_NO_RESPONDERS: throw noStream
    default: throw lost
    }
  }

  private var noStream: RSSIError {
    RSSIError(
      .unavailable,
      "no stream of the NATS server \(connection.broker) takes the subject \(subject): create one "
        + "(docs/fleet.md), or check the subject in the URL")
  }

  /// Returns the number of the message that a reply belongs to.
  private func number(of reply: OpaquePointer) -> UInt64? {
    natsMsg_GetSubject(reply).flatMap { subject in
      String(cString: subject).split(separator: ".").last.flatMap { UInt64($0) }
    }
  }

  /// Returns the error of a message that the stream did not store; nil for a stored one.
  private func refusal(in reply: OpaquePointer) -> RSSIError? {
    let data = UnsafeRawBufferPointer(
      start: natsMsg_GetData(reply), count: Int(natsMsg_GetDataLength(reply)))
    guard document.parse(Array(data).span),
      document.root["stream"] != nil || document.root["error"] != nil
    else {
      return RSSIError(
        .protocolViolation, "the NATS server \(connection.broker) sent an invalid acknowledgement")
    }
    guard let error = document.root["error"] else { return nil }
    let words =
      error["description"]?.text.map { String(decoding: $0, as: UTF8.self) } ?? "no reason"
    return RSSIError(
      .unavailable, "the stream of \(subject) on \(connection.broker) refuses messages: \(words)")
  }
}
