internal import Support

/// Makes sightings of messages: reads the JSON and finds who can make sense of it.
struct GatewayReader {
  /// Longer ones are refused; a gateway's array of 5,000 rows is shorter.
  static let longestMessage = 1 << 20

  private let document = JSONDocument()
  /// Those that may know a message; one alone need not recognise it.
  private var dialects: [any GatewayDialect]
  /// What reads messages that are lines of text; nil where all are in a dialect of JSON.
  private let lines: UBloxDialect?

  /// - Parameter dialect: what every message is in; nil shows by each message.
  init(dialect: Dialect?) {
    // Theengs before OpenMQTTGateway, whose messages look the same but for the name.
    let order: [Dialect] = [
      .rssi, .ruuvi, .minew, .theengs, .openMQTTGateway, .shelly, .tasmota, .tasmotaIBeacon,
      .espresense,
      .roomAssistant,
    ]
    dialects = (dialect.map { [$0] } ?? order).map(\.reader)
    lines = dialect == nil || dialect == .uBlox ? UBloxDialect() : nil
  }

  /// Reads a message into a batch, which holds nothing else afterwards.
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
