package import Sightings
package import Support

/// Gateways whose messages are in a JetStream stream of a NATS server:
/// `nats://[USER@]HOST[:PORT]/STREAM[/PARTITION]`.
///
/// The messages are read in order through a pull consumer. With `positions` the place in the stream
/// is kept: the consumer is durable, belongs to one capture at a time, and a message is
/// acknowledged after its sightings are saved. Each start recreates the consumer after the last
/// message in a trace; so a message that the server sends again is a duplicate, and each message is
/// recorded once. Messages that the last capture received without acknowledging them are handled
/// and saved one at a time, see `StreamAttempts`. Without `positions` only messages that arrive
/// from now on are read.
package struct NATSSource: CaptureSource {
  private let address: NATSAddress
  private let options: GatewayOptions
  private let credentials: BrokerCredentials
  private let since: StreamStart?
  private let positions: (() throws -> [(stream: StreamIdentity, position: StreamPosition)])?
  private var gateways: GatewayIntake

  /// The time between two calls of the sink's `tick`, in milliseconds.
  private static let tickInterval: Int64 = 50
  /// The numbers of messages and of bytes per request.
  private static let (batch, batchBytes): (Int32, Int64) = (256, 16 << 20)
  /// The time after which messages are saved and acknowledged even if the sink does not; the server
  /// sends them again after 30 s.
  private static let longestHold = Duration.seconds(5)
  /// The time between two checks of the stream.
  private static let lookInterval = Duration.seconds(10)

  /// - Parameters:
  ///   - url: the server, the stream and the partition.
  ///   - options: the connection's options; its `clientID` names the durable consumer.
  ///   - since: the start in a stream that no trace has read.
  ///   - positions: the positions of streams in traces, read when no other capture can advance
  ///     them; nil reads what arrives from now on, and keeps no position.
  ///   - environment: the source of `RSSI_NATS_PASSWORD`; nil for that of the process.
  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  package init(
    url: String, options: GatewayOptions = GatewayOptions(), since: StreamStart? = nil,
    positions: (() throws -> [(stream: StreamIdentity, position: StreamPosition)])? = nil,
    environment: [String: String]? = nil
  ) throws(RSSIError) {
    address = try NATSAddress(url: url)
    credentials = try BrokerCredentials(
      user: address.url.user, variable: SecretVariable.natsPassword, options: options,
      environment: environment ?? processEnvironment())
    if let name = options.clientID, !isNATSName(name) {
      throw .usage("\"\(name)\" cannot name a consumer: write letters, digits, - and _")
    }
    self.options = options
    self.since = since
    self.positions = positions
    gateways = GatewayIntake(dialect: options.dialect, place: address.place)
  }

  package mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    let connection = try NATSConnection.open(
      address.url, options: options, credentials: credentials)
    let name =
      positions == nil
      ? "rssi-live-" + String(UInt64.random(in: .min ... .max), radix: 36)
      : options.clientID ?? address.defaultConsumer
    var consumer = NATSConsumer(connection, address, name: name, isDurable: positions != nil)
    var lease: StreamLease?
    var attempts: StreamAttempts?
    if positions != nil {
      var taken = try StreamLease(connection, address, consumer: name)
      guard try taken.acquire(while: { try sink.tick() }) else { return }
      lease = consume taken
    }
    let state = try consumer.look()
    if let taken = lease.take() {
      attempts = StreamAttempts(beside: taken, created: state.created)
      lease = consume taken
    }
    let stream = StreamIdentity(
      broker: address.broker, name: address.stream, partition: address.partition,
      created: state.created)
    let doubtful = try begin(&consumer, stream, state, &sink)
    try sink.notice(.stream(stream))
    try sink.notice(.start)
    // An error of the sink is thrown by the loop.
    defer { try? gateways.finish(to: &sink) }

    var isLost = false
    var heldSince: ContinuousClock.Instant?
    var nextTick = ContinuousClock.now
    var nextLook = nextTick + Self.lookInterval
    while true {
      try lease?.renew()
      try follow(connection, &consumer, created: state.created, &isLost, &nextLook, &sink)
      let count = try fetch(&consumer, upTo: doubtful, &attempts, &sink)
      if count > 0 { heldSince = heldSince ?? .now }
      guard ContinuousClock.now >= nextTick else { continue }
      try gateways.account(to: &sink)
      let goesOn = try sink.tick()
      let isLate = heldSince.map { ContinuousClock.now - $0 >= Self.longestHold } ?? false
      if !goesOn || isLate { try sink.save() }
      if sink.isSaved {
        consumer.acknowledge()
        heldSince = nil
      }
      guard goesOn else { return }
      nextTick = .now + .milliseconds(Self.tickInterval)
    }
  }

  /// Receives the next messages.
  ///
  /// - Parameter doubtful: the last message that is handled and saved alone.
  /// - Returns: the number of new messages.
  private mutating func fetch<Sink: CaptureSink & ~Copyable>(
    _ consumer: inout NATSConsumer, upTo doubtful: UInt64, _ attempts: inout StreamAttempts?,
    _ sink: inout Sink
  ) throws -> Int {
    guard consumer.reached < doubtful else {
      return try consumer.fetch(Self.batch, Self.batchBytes, within: Self.tickInterval) {
        try take($0, at: $1, &sink)
      }
    }
    var isUnderWay = false
    do {
      let count = try consumer.fetch(1, Self.batchBytes, within: Self.tickInterval) {
        isUnderWay = attempts?.begin($1.sequence) ?? false
        if isUnderWay { try take($0, at: $1, &sink) } else { try skip($0, at: $1, &sink) }
      }
      guard count > 0 else { return 0 }
      try gateways.account(to: &sink)
      try sink.save()
      consumer.acknowledge()
      return count
    } catch {
      if isUnderWay, !error.mayBeOfAMessage { attempts?.takeBack() }
      throw error
    }
  }

  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ message: BrokerMessage, at position: StreamPosition, _ sink: inout Sink
  ) throws {
    try gateways.take(message, &sink)
    try sink.notice(.position(position))
  }

  /// Skips and counts a message at which too many captures ended.
  private func skip<Sink: CaptureSink & ~Copyable>(
    _ message: BrokerMessage, at position: StreamPosition, _ sink: inout Sink
  ) throws {
    try sink.notice(.refusal("skipped:\(position.sequence)", count: 1))
    try sink.notice(
      .message(
        "warning: message \(position.sequence) of the stream \(address.stream) is skipped, because "
          + "\(StreamAttempts.most) captures ended while they took it (topic "
          + "\(String(decoding: message.topic.prefix(RefusedTopics.longest), as: UTF8.self)), "
          + "\(message.payload.count) bytes); `nats stream get \(address.stream) \(position.sequence)` shows it"
      ))
    try sink.notice(.position(position))
  }

  /// Creates the consumer that starts after the last message in a trace.
  ///
  /// - Returns: the last message that the former consumer received and that is in no trace; 0 if
  ///   there is none.
  private func begin<Sink: CaptureSink & ~Copyable>(
    _ consumer: inout NATSConsumer, _ stream: StreamIdentity, _ state: NATSConsumer.State,
    _ sink: inout Sink
  ) throws -> UInt64 {
    guard let positions else {
      try consumer.create(from: since ?? .new)
      return 0
    }
    // The server is the same under another name: a stream is identified by its name and creation.
    let saved = try positions().filter {
      $0.stream.name == stream.name && $0.stream.partition == stream.partition
        && $0.stream.created == stream.created
    }.map(\.position.sequence).max()
    let (acknowledged, sent) = consumer.former
    // A purge moves the consumer to its end, which then does not prove that all before was read.
    let isMoved = acknowledged + 1 == state.first
    let place = isMoved ? saved ?? acknowledged : max(saved ?? 0, acknowledged)
    let doubtful = sent > place && sent <= state.last ? sent : 0
    guard place > 0 || saved != nil else {
      try consumer.create(from: since ?? .first)
      return doubtful
    }
    if since != nil, saved == nil {
      try sink.notice(
        .message(
          "reading starts after message \(place), the last one that the consumer acknowledged: "
            + "give another client id to start elsewhere"))
    }
    if place > state.last {
      try sink.notice(
        .message(
          "the stream \(stream.name) has messages up to \(state.last), but \(place) were read "
            + "before: the server lost the latest; numbering restarts there"))
    }
    consumer.reached = min(place, state.last)
    try consumer.create(
      from: .sequence(consumer.reached + 1))
    try noteRemoved(&consumer, state, &sink)
    return doubtful
  }

  /// Notes messages that the server removed before they were read.
  private func noteRemoved<Sink: CaptureSink & ~Copyable>(
    _ consumer: inout NATSConsumer, _ state: NATSConsumer.State, _ sink: inout Sink
  ) throws {
    guard consumer.reached > 0, state.first > consumer.reached + 1 else { return }
    let count = state.first - consumer.reached - 1
    try sink.notice(.refusal("removed-from-stream", count: count))
    try sink.notice(
      .message(
        "the stream \(address.stream) no longer has \(count) messages that were not read "
          + "(\(consumer.reached + 1) to \(state.first - 1)): keep messages for longer (max_age, "
          + "max_bytes)"))
    consumer.reached = state.first - 1
  }

  /// Detects a lost or restored connection, and checks the stream periodically.
  private func follow<Sink: CaptureSink & ~Copyable>(
    _ connection: NATSConnection, _ consumer: inout NATSConsumer, created: Int64,
    _ isLost: inout Bool, _ nextLook: inout ContinuousClock.Instant, _ sink: inout Sink
  ) throws {
    if connection.isClosed {
      throw RSSIError(
        .unavailable,
        "the NATS server \(address.broker) closed the connection (\(connection.complaint)): "
          + "check the user and its permissions")
    }
    guard connection.isConnected else {
      if !isLost {
        isLost = true
        try sink.notice(
          .message(
            "the connection to \(address.broker) is lost; connecting again. The stream keeps new "
              + "messages"))
      }
      return
    }
    let isBack = isLost
    if isBack {
      isLost = false
      try sink.notice(.message("connected to \(address.broker) again"))
    }
    guard
      isBack || consumer.isBroken || consumer.isRepeating || ContinuousClock.now >= nextLook
    else { return }
    nextLook = .now + Self.lookInterval
    guard let state = try consumer.lookAgain() else { return }
    if state.created != created {
      throw RSSIError(
        .unavailable,
        "the stream \(address.stream) was deleted and created again: start again to read it from "
          + "its beginning")
    }
    if state.last < consumer.reached {
      try sink.notice(
        .message(
          "the stream \(address.stream) ends at \(state.last), but \(consumer.reached) was read: "
            + "the server lost the latest messages; numbering restarts there"))
      consumer.reached = state.last
    }
    try noteRemoved(&consumer, state, &sink)
    if consumer.isMissing || consumer.isRepeating {
      try consumer.create(from: .sequence(consumer.reached + 1))
    }
  }
}

/// A starting position in a stream.
public enum StreamStart: Equatable, Sendable {
  /// The first message on the server.
  case first
  /// The next message to arrive.
  case new
  /// The message with this sequence number.
  case sequence(UInt64)
  /// The first message that the server received at or after a time, nanoseconds since the Unix
  /// epoch.
  case time(Int64)
}
