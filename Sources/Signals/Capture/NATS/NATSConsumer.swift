internal import CNATS
internal import Glibc
internal import Sightings
import Support

/// A pull consumer of a stream, which the capture creates and reads in order.
struct NATSConsumer: ~Copyable {
  /// The state of the stream at the server.
  struct State {
    /// The time of creation of the stream, nanoseconds since the Unix epoch.
    var created: Int64
    var first: UInt64
    var last: UInt64
    /// A Boolean value that is true if the stream's retention is by limits.
    var keepsWhatWasRead: Bool
  }

  /// The maximum number of unacknowledged messages at the server: more than a capture receives
  /// between two flushes, so that it never waits for an acknowledgement.
  private static let mostUnacknowledged: Int64 = 1_000_000

  /// The number of deliveries of one message that shows that the server ignores acknowledgements: one
  /// may be lost, but not two.
  private static let mostDeliveries: UInt64 = 3

  private let connection: NATSConnection
  private let name: String
  private let isDurable: Bool
  private var subscription: OpaquePointer?
  /// The last message, whose acknowledgement covers all before it.
  private var unacknowledged: OpaquePointer?
  /// The sequence number of the last message that was passed on; 0 if there is none.
  var reached: UInt64 = 0
  /// A Boolean value that is true if the server refused the last request, for example because the
  /// consumer was deleted.
  private(set) var isBroken = false
  /// A Boolean value that is true if the server repeats messages although they were acknowledged.
  private(set) var isRepeating = false
  /// A Boolean value that is true if the next message exceeds the size limit of a request.
  private var isLong = false
  /// The server time from which messages are accepted.
  private var begins = Int64.min

  private let address: NATSAddress
  private var stream: String { address.stream }

  init(_ connection: NATSConnection, _ address: NATSAddress, name: String, isDurable: Bool) {
    (self.connection, self.address) = (connection, address)
    (self.name, self.isDurable) = (name, isDurable)
  }

  deinit {
    natsMsg_Destroy(unacknowledged)
    natsSubscription_Destroy(subscription)
    if !isDurable { _ = js_DeleteConsumer(connection.jetStream, stream, name, nil, nil) }
  }

  /// Returns the state of the stream at the server.
  ///
  /// - Throws: `RSSIError` if there is no such stream, or it cannot be read in order.
  func look() throws(RSSIError) -> State {
    let (status, state) = lookUp()
    if let state {
      guard state.keepsWhatWasRead else {
        throw RSSIError(
          .usage,
          "the stream \(stream) removes messages that were read: a capture needs a "
            + "stream with limits retention")
      }
      return state
    }
    if status == NATS_NOT_FOUND { throw missing }
    throw connection.failure("read the stream \(stream)", status)
  }

  /// Returns the state during the capture; nil if the server does not answer in time.
  ///
  /// - Throws: `RSSIError` if the stream was deleted.
  func lookAgain() throws(RSSIError) -> State? {
    let (status, state) = lookUp()
    // A server that is starting, or briefly unreachable, is asked again.
    if status == NATS_NOT_FOUND, connection.isConnected { throw missing }
    return state.flatMap { $0.keepsWhatWasRead ? $0 : nil }
  }

  private var missing: RSSIError {
    RSSIError(
      .unavailable,
      "the NATS server \(address.broker) has no stream \(stream): create it, or "
        + "check the name in the URL")
  }

  private func lookUp() -> (status: natsStatus, state: State?) {
    var info: UnsafeMutablePointer<jsStreamInfo>?
    let status = js_GetStreamInfo(&info, connection.jetStream, stream, nil, nil)
    guard status == NATS_OK, let info else { return (status, nil) }
    defer { jsStreamInfo_Destroy(info) }
    return (
      status,
      State(
        created: info.pointee.Created, first: info.pointee.State.FirstSeq,
        last: info.pointee.State.LastSeq,
        keepsWhatWasRead: info.pointee.Config.pointee.Retention == js_LimitsPolicy)
    )
  }

  /// The last messages that a consumer of this name acknowledged and received; 0 if unknown.
  var former: (acknowledged: UInt64, sent: UInt64) {
    let found = lookUpConsumer()
    return (found.acknowledged ?? 0, found.sent ?? 0)
  }

  /// A Boolean value that is true if the server no longer has the consumer.
  var isMissing: Bool { lookUpConsumer().status == NATS_NOT_FOUND }

  private func lookUpConsumer() -> (status: natsStatus, acknowledged: UInt64?, sent: UInt64?) {
    var info: UnsafeMutablePointer<jsConsumerInfo>?
    let status = js_GetConsumerInfo(&info, connection.jetStream, stream, name, nil, nil)
    defer { jsConsumerInfo_Destroy(info) }
    guard status == NATS_OK, let info else { return (status, nil, nil) }
    // Before the first acknowledgement the floor is 0, regardless of the consumer's start.
    let began = max(1, info.pointee.Config.pointee.OptStartSeq) - 1
    return (status, max(began, info.pointee.AckFloor.Stream), info.pointee.Delivered.Stream)
  }

  /// Creates the consumer, replacing one of the same name.
  mutating func create(from start: StreamStart) throws(RSSIError) {
    natsSubscription_Destroy(subscription)
    subscription = nil
    natsMsg_Destroy(unacknowledged)
    unacknowledged = nil
    var code = jsErrCode(0)
    // A consumer cannot be moved; a new one sends everything in order.
    let deletion = js_DeleteConsumer(connection.jetStream, stream, name, nil, &code)
    guard deletion == NATS_OK || deletion == NATS_NOT_FOUND else {
      throw connection.failure("replace the consumer \(name) of \(stream)", deletion)
    }
    var (sequence, time): (UInt64, Int64) = (0, 0)
    switch start {
    case .first, .new: break
    case .sequence(let number): sequence = max(1, number)
    case .time(let instant):
      // The library writes 50 ms as .5 s, so the request uses the whole second before, and earlier
      // messages are discarded.
      begins = instant
      time = max(1, instant - instant % 1_000_000_000)
    }
    var status = cnats_add_consumer(
      connection.jetStream, stream, name, address.filter, sequence, time,
      start == .new ? 1 : 0, Self.mostUnacknowledged, isDurable ? 0 : 60_000_000_000, &code)
    guard status == NATS_OK else {
      throw connection.failure("create the consumer \(name) of \(stream)", status)
    }
    status = cnats_bind(&subscription, connection.jetStream, stream, name, &code)
    guard status == NATS_OK else {
      throw connection.failure("read the stream \(stream)", status)
    }
    (isBroken, isRepeating) = (false, false)
  }

  /// Receives the next messages, each once.
  ///
  /// - Parameters:
  ///   - count: the maximum number of messages.
  ///   - bytes: the maximum number of bytes.
  ///   - milliseconds: the maximum wait for the first message.
  ///   - take: the function called with each new message.
  /// - Returns: the number of new messages.
  mutating func fetch(
    _ count: Int32, _ bytes: Int64, within milliseconds: Int64,
    _ take: (BrokerMessage, StreamPosition) throws -> Void
  ) throws -> Int {
    guard connection.isConnected, let subscription else {
      usleep(UInt32(milliseconds) * 1000)
      return 0
    }
    var list = natsMsgList()
    let status = cnats_fetch(
      &list, subscription, isLong ? 1 : count, isLong ? 0 : bytes, milliseconds)
    isLong = false
    guard status == NATS_OK else {
      guard status != NATS_TIMEOUT else { return 0 }
      if NATSConnection.words(status).contains("MaxBytes") {
        isLong = true
      } else {
        isBroken = true
      }
      // A server that refuses the request answers immediately.
      usleep(UInt32(milliseconds) * 1000)
      return 0
    }
    isBroken = false
    defer { natsMsgList_Destroy(&list) }
    var taken = 0
    for index in 0..<Int(list.Count) {
      guard let message = list.Msgs[index] else { continue }
      var found: UnsafeMutablePointer<jsMsgMetaData>?
      guard natsMsg_GetMetaData(&found, message) == NATS_OK, let meta = found else { continue }
      defer { jsMsgMetaData_Destroy(meta) }
      let sequence = meta.pointee.Sequence.Stream
      if sequence > reached {
        if meta.pointee.Timestamp >= begins {
          try take(
            self.message(message, meta.pointee),
            StreamPosition(sequence: sequence, time: meta.pointee.Timestamp))
        }
        reached = sequence
        taken += 1
        natsMsg_Destroy(unacknowledged)
        unacknowledged = message
        list.Msgs[index] = nil
      } else if unacknowledged == nil {
        // The server repeats a message whose acknowledgement was lost with the connection. It was
        // saved, because all that was received is.
        _ = natsMsg_Ack(message, nil)
        // nats-server 2.9 may ignore acknowledgements, and repeat messages for ever, after a kill.
        isRepeating = isRepeating || meta.pointee.NumDelivered >= Self.mostDeliveries
      }
    }
    return taken
  }

  private func message(_ message: OpaquePointer, _ meta: jsMsgMetaData) -> BrokerMessage {
    let subject = natsMsg_GetSubject(message)!
    let length = min(Int(natsMsg_GetDataLength(message)), GatewayReader.longestMessage + 1)
    let topic = subject.withMemoryRebound(to: UInt8.self, capacity: strlen(subject)) {
      address.topic(of: UnsafeBufferPointer(start: $0, count: strlen(subject)))
    }
    let payload = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: length)
    return BrokerMessage(
      topic: topic, payload: Array(payload), identifier: meta.Sequence.Stream,
      arrival: meta.Timestamp)
  }

  /// Acknowledges every message received so far.
  mutating func acknowledge() {
    guard let message = unacknowledged, connection.isConnected else { return }
    // If it is lost the server repeats the messages, and `fetch` acknowledges them again.
    _ = natsMsg_Ack(message, nil)
    natsMsg_Destroy(message)
    unacknowledged = nil
  }
}
