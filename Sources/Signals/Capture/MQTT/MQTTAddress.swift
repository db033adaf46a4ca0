internal import CMosquitto
internal import Support

/// The address of a broker and a topic: `mqtt://[USER@]HOST[:PORT]/TOPIC`, or `mqtts://` for TLS.
///
/// Everything after the first slash is the topic as MQTT writes it, including `#`, `+` and
/// `$share/GROUP/`.
struct MQTTAddress: Equatable {
  private let url: BrokerURL

  static let form = BrokerURL.Form(
    schemes: ("mqtt", "mqtts"), ports: (1883, 8883), kind: "an MQTT source",
    example: "mqtt://localhost/ruuvi/#", passwordVariable: SecretVariable.brokerPassword)

  var isEncrypted: Bool { url.isEncrypted }
  var user: String? { url.user }
  var host: String { url.host }
  var port: Int32 { url.port }
  var topic: String { url.path }

  /// The address without the user, as written to files and messages.
  var place: String { url.place(Self.form) }

  /// The broker's name in messages.
  var broker: String { url.broker(Self.form) }

  /// Combines a broker without a topic, and a topic.
  ///
  /// - Throws: `RSSIError` of kind `usage`.
  init(broker: String, topic: String) throws(RSSIError) {
    let slashes = broker.hasSuffix("/") ? 3 : 2
    // The message omits the text: it may hold a password.
    guard broker.hasPrefix("mqtt://") || broker.hasPrefix("mqtts://"),
      broker.utf8.count(where: { $0 == UInt8(ascii: "/") }) == slashes
    else {
      throw .usage(
        "the URL of the broker: expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT], without a topic"
      )
    }
    try self.init(url: broker + (slashes == 3 ? "" : "/") + topic)
  }

  /// - Throws: `RSSIError` of kind `usage`.
  init(url text: String) throws(RSSIError) {
    url = try BrokerURL(text, Self.form)
    guard !topic.isEmpty else {
      throw .usage("the URL has no topic: write for example mqtt://\(host)/ruuvi/#")
    }
    guard topic.utf8.count <= 65_535, !topic.contains("\0"),
      mosquitto_sub_topic_check(topic) == cmosquitto_success()
    else {
      throw .usage(
        "invalid topic \"\(topic)\": + and # must stand for whole levels, and # for the last one")
    }
  }
}
