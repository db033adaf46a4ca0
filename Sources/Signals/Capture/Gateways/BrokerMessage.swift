/// A message as it came from a broker.
struct BrokerMessage {
  /// As MQTT writes it, with slashes between its levels.
  var topic: [UInt8]
  var payload: [UInt8]
  /// Whether the broker kept it from before the subscription.
  var isRetained = false
  /// The number by which the broker knows it, such as that of its acknowledgement; 0 = none.
  var identifier: UInt64 = 0
  /// Nanoseconds since the Unix epoch.
  var arrival: Int64
}
