/// What a client asks of its broker.
struct BrokerRequest {
  /// What it subscribes to.
  var topics: [String]
  /// Whether it wants messages that the broker kept from before.
  var takesRetained = false
  /// What the broker publishes, and keeps, where the connection ends without a goodbye.
  var will: (topic: String, payload: [UInt8])?
  /// Seconds for which the broker keeps what arrives without a connection (MQTT 5).
  var sessionExpiry: UInt32 = 3600

  /// Whether messages are acknowledged when `MQTTClient.acknowledge` is called, and not on receipt.
  var holdsAcknowledgements = false

  init(topics: [String]) { self.topics = topics }
}
