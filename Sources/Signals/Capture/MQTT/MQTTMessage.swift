/// A message as it came from the broker.
struct MQTTMessage {
  var topic: [UInt8]
  var payload: [UInt8]
  /// Whether the broker kept it from before the subscription.
  var isRetained = false
  /// The number under which the broker waits for an acknowledgement; 0 = it does not.
  var identifier: UInt16 = 0
  /// Nanoseconds since the Unix epoch.
  var arrival: Int64
}
