internal import Support

/// The topics of messages that are refused for one reason, so that a person finds out who publishes them.
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
  func note<Sink: CaptureSink & ~Copyable>(_ reason: GatewayRejection, to sink: inout Sink) {
    let shown = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.named)
    let rest = messages - shown.reduce(0) { $0 + $1.value }
    let topics =
      shown.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
      + (rest > 0 ? " and other topics (\(rest))" : "")
    sink.note(
      reason == .unknownDialect
        ? "\(counted(messages, "message")) of an unknown dialect, on \(topics): subscribe to fewer topics, "
          + "or name the `dialect`"
        : "\(counted(messages, reason.isOfReport ? "report" : "message")) refused as "
          + "\(reason.rawValue), on \(topics)")
  }
}
