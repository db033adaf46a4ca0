internal import Support

/// A reason for refusing a message of a gateway, or one of its rows.
enum GatewayRejection: String, CaseIterable {
  /// The message is longer than any gateway's.
  case messageTooLong = "message-too-long"
  /// The broker retained the message, so that its time is unknown.
  case retained
  case badJSON = "bad-json"
  /// No dialect recognises the message.
  case unknownDialect = "unknown-dialect"
  /// The message contains data on the gateway itself, or on a beacon without a reception.
  case noSighting = "no-sighting"
  /// The beacon is no longer received.
  case gone
  /// The gateway reports that it received more than it could send.
  case lostByGateway = "lost-by-gateway"
  /// The name of the gateway or of the beacon is missing.
  case missingName = "missing-name"
  case badName = "bad-name"
  case badAddress = "bad-address"
  case badRSSI = "bad-rssi"
  case badPayload = "bad-payload"
  /// A number of a report is missing or out of its range.
  case badField = "bad-field"
  /// The message has an unknown version of the dialect.
  case unknownVersion = "unknown-version"
  /// The message has more receivers than a fleet.
  case tooManyReceivers = "too-many-receivers"
  /// There are more gateways than a trace can number.
  case tooManyGateways = "too-many-gateways"

  /// A Boolean value that is true if a report is refused; false for the message, or a part of it
  /// other than a report.
  var isOfReport: Bool {
    switch self {
    case .missingName, .badName, .badAddress, .badRSSI, .badPayload, .badField, .tooManyGateways:
      true
    case .messageTooLong, .retained, .badJSON, .unknownDialect, .unknownVersion, .noSighting, .gone,
      .lostByGateway, .tooManyReceivers:
      false
    }
  }
}

/// The topics of refused messages by reason, so that the user can find their publishers.
struct RefusedTopics {
  /// The number of topics that are counted separately; later ones are counted together.
  static let most = 64
  /// The number of topics in a note, those with the most messages.
  static let named = 3
  /// The number of bytes of a topic that are kept.
  static let longest = 100

  private var counts: [String: Int] = [:]
  private(set) var messages = 0

  mutating func add(_ topic: [UInt8]) {
    messages += 1
    var name = String(decoding: topic.prefix(Self.longest), as: UTF8.self)
    if topic.count > Self.longest { name += "…" }
    if counts[name] != nil || counts.count < Self.most { counts[name, default: 0] += 1 }
  }

  /// Reports the topics with the most messages to the sink.
  func note<Sink: CaptureSink & ~Copyable>(
    _ reason: GatewayRejection, to sink: inout Sink
  ) throws {
    let shown = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.named)
    let rest = messages - shown.reduce(0) { $0 + $1.value }
    let topics =
      shown.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
      + (rest > 0 ? " and other topics (\(rest))" : "")
    try sink.notice(
      .message(
        reason == .unknownDialect
          ? "\(counted(messages, "message")) of an unknown dialect, on \(topics): subscribe to fewer topics, "
            + "or name the `dialect`"
          : "\(counted(messages, reason.isOfReport ? "report" : "message")) refused as "
            + "\(reason.rawValue), on \(topics)"))
  }
}
