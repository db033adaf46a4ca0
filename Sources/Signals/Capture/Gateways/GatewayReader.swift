internal import Support

/// A reader of messages: parses the JSON and finds the dialect that recognises it.
struct GatewayReader {
  /// The maximum length; a gateway's array of 5,000 rows is shorter.
  static let longestMessage = 1 << 20

  private let document = JSONDocument()
  /// The possible dialects; a single one need not recognise the message.
  private var dialects: [any GatewayDialect]
  /// The reader of messages that are lines of text; nil if all are in a dialect of JSON.
  private let lines: UBloxDialect?

  /// - Parameter dialect: the dialect of every message; nil to detect it in each message.
  init(dialect: Dialect?) {
    dialects = (dialect.map { [$0] } ?? Dialect.byRecognition).map(\.reader)
    lines = dialect == nil || dialect == .uBlox ? UBloxDialect() : nil
  }

  /// Reads a message into a batch, whose former content is removed.
  mutating func read(
    _ message: BrokerMessage, into batch: inout GatewayBatch
  ) {
    batch.begin(arrival: message.arrival)
    guard !message.isRetained else { return batch.reject(.retained) }
    guard message.payload.count <= Self.longestMessage else { return batch.reject(.messageTooLong) }
    if let lines, dialects.count == 1 || lines.recognises(message.payload) {
      return lines.read(message.payload, arrival: message.arrival, into: &batch)
    }
    guard document.parse(message.payload.span) else { return batch.reject(.badJSON) }
    let json = GatewayMessage(
      topic: message.topic[...], json: document.root, arrival: message.arrival)
    if dialects.count == 1 { return dialects[0].read(json, into: &batch) }
    guard let index = dialects.firstIndex(where: { $0.recognises(json) }) else {
      return batch.reject(.unknownDialect)
    }
    dialects[index].read(json, into: &batch)
  }
}

/// A message of a gateway: its topic, its content and its arrival.
struct GatewayMessage {
  var topic: ArraySlice<UInt8>
  var json: JSONElement
  /// The time of arrival, nanoseconds since the Unix epoch.
  var arrival: Int64

  /// Returns a level of the topic, counted from its end: 0 is the last; nil if there are too few.
  func level(fromEnd position: Int) -> ArraySlice<UInt8>? {
    var rest = topic
    for _ in 0..<position {
      guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      rest = rest[..<slash]
    }
    return Self.lastLevel(of: rest)
  }

  /// Returns the level before the last one of a name, such as the gateway before `BTtoMQTT`.
  func level(before name: StaticString) -> ArraySlice<UInt8>? {
    // Examines each level once: a topic may have 65,536 of them.
    var rest = topic
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
      let isNamed = rest[(slash + 1)...].elementsEqual(name.description.utf8)
      rest = rest[..<slash]
      if isNamed { return Self.lastLevel(of: rest) }
    }
    return nil
  }

  /// Returns a Boolean value that is true if the last level of the topic has a name.
  func ends(with name: StaticString) -> Bool {
    level(fromEnd: 0)?.elementsEqual(name.description.utf8) == true
  }

  private static func lastLevel(of topic: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let slash = topic.lastIndex(of: UInt8(ascii: "/")) else { return topic }
    return topic[(slash + 1)...]
  }
}

/// A message as received from a broker.
struct BrokerMessage {
  /// The topic as MQTT writes it, with slashes between its levels.
  var topic: [UInt8]
  var payload: [UInt8]
  /// A Boolean value that is true if the broker retained it from before the subscription.
  var isRetained = false
  /// The broker's identifier of the message, such as that of its acknowledgement; 0 if there is
  /// none.
  var identifier: UInt64 = 0
  /// The time of arrival, nanoseconds since the Unix epoch.
  var arrival: Int64
}

extension JSONElement {
  /// An integer from 0 to 65,535, or a string that contains one; nil for anything else.
  var major: UInt16? { number.flatMap { UInt16(exactly: $0) } }

  /// The nominal RSSI at 1 m in dBm that a beacon transmits; NaN for an invalid value.
  var measuredPower: Float { number.flatMap { Int8(exactly: $0) }.map(Float.init) ?? .nan }
}
