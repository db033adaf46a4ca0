/// A message as it came from the broker.
struct MQTTMessage {
  var topic: [UInt8]
  var payload: [UInt8]
  /// Whether the broker kept it from before the subscription.
  var isRetained = false
  /// Nanoseconds since the Unix epoch.
  var arrival: Int64
}
