internal import Support

/// Why a message of a gateway, or a row of one, is not a sighting.
enum GatewayRejection: String, CaseIterable {
  /// The message is longer than any gateway writes.
  case messageTooLong = "message-too-long"
  /// The broker kept the message from earlier: it is not known when it was true.
  case retained
  case badJSON = "bad-json"
  /// No dialect knows the message.
  case unknownDialect = "unknown-dialect"
  /// The gateway shows of itself, or of a beacon what no radio heard.
  case noSighting = "no-sighting"
  /// The beacon was not heard any more.
  case gone
  /// The gateway states that it heard more than it could send.
  case lostByGateway = "lost-by-gateway"
  /// The gateway or the beacon is not a named.
  case missingName = "missing-name"
  case badName = "bad-name"
  case badAddress = "bad-address"
  case badRSSI = "bad-rssi"
  case badPayload = "bad-payload"
  /// A number of a report is missing or out of its range.
  case badField = "bad-field"
  /// The message is of a version of the dialect that is not known.
  case unknownVersion = "unknown-version"
  /// One message names more receivers than a fleet has.
  case tooManyReceivers = "too-many-receivers"
  /// More gateways than a trace has numbers for.
  case tooManyGateways = "too-many-gateways"

  /// A Boolean value that is true if a report is refused; else it is the message, or a part of it
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

/// The topics of messages that are refused for one reason, so that a person finds out who publishes
/// them.
struct RefusedTopics {
  /// Different topics that are counted each; those that come later are counted together.
  static let most = 64
  /// Topics that are named, those with the most messages.
  static let named = 3
  /// Bytes of a topic that are kept.
  static let longest = 100

  private var counts: [String: Int] = [:]
  private(set) var messages = 0

  mutating func add(_ topic: [UInt8]) {
    messages += 1
    var name = String(decoding: topic.prefix(Self.longest), as: UTF8.self)
    if topic.count > Self.longest { name += "…" }
    if counts[name] != nil || counts.count < Self.most { counts[name, default: 0] += 1 }
  }

  /// Names those with the most messages to the sink.
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
