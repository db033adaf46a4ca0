/// One way in which gateways write what they heard.
protocol GatewayDialect {
  /// Whether a message is in this dialect, stated by its topic and what it holds.
  func recognises(_ message: GatewayMessage) -> Bool

  /// Takes every sighting of a message, and counts what is none; the message may be any JSON.
  mutating func read(_ message: GatewayMessage, into batch: inout GatewayBatch)
}
