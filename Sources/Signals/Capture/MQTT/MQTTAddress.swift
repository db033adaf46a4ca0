internal import CMosquitto
internal import Support

/// A broker and what to ask of it: `mqtt://[USER@]HOST[:PORT]/TOPIC`, or `mqtts://` for TLS.
///
/// Everything after the first slash is the topic as MQTT writes it, `#`, `+` and `$share/GROUP/` in
/// it included.
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

  /// The address without the user, as the file and messages have it.
  var place: String { url.place(Self.form) }

  /// The broker as messages call it.
  var broker: String { url.broker(Self.form) }

  /// A broker without a topic, and what to ask of it.
  ///
  /// - Throws: `RSSIError` of kind `usage`.
  init(broker: String, topic: String) throws(RSSIError) {
    let slashes = broker.hasSuffix("/") ? 3 : 2
    guard broker.utf8.count(where: { $0 == UInt8(ascii: "/") }) == slashes else {
      throw .usage("a broker is named without a topic: write mqtt://HOST or mqtts://HOST:PORT")
    }
    try self.init(url: broker + (slashes == 3 ? "" : "/") + topic)
  }

  /// - Throws: `RSSIError` of kind `usage`.
  init(url text: String) throws(RSSIError) {
    url = try BrokerURL(text, Self.form)
    guard !topic.isEmpty else {
      throw .usage("the URL names no topic: write for example mqtt://\(host)/ruuvi/#")
    }
    guard topic.utf8.count <= 65_535, !topic.contains("\0"),
      mosquitto_sub_topic_check(topic) == cmosquitto_success()
    else {
      throw .usage(
        "\"\(topic)\" is no topic to subscribe to: + and # stand for whole levels, # for the last")
    }
  }
}
