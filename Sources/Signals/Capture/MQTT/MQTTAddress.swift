internal import CMosquitto
internal import Support

/// A broker and what to ask of it: `mqtt://[USER@]HOST[:PORT]/TOPIC`, or `mqtts://` for TLS.
///
/// Everything after the first slash is the topic as MQTT writes it, `#`, `+` and `$share/GROUP/` in
/// it included; `%` and two hexadecimal digits stand for a byte.
struct MQTTAddress: Equatable {
  var isEncrypted: Bool
  var user: String?
  var host: String
  var port: Int32
  var topic: String

  /// The address without the user, as the file and messages have it.
  var place: String {
    "\(isEncrypted ? "mqtts" : "mqtt")://\(broker)/\(topic)"
  }

  /// The broker as messages call it.
  var broker: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isEncrypted ? 8883 : 1883) ? name : "\(name):\(port)"
  }

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
  init(url: String) throws(RSSIError) {
    let rest: Substring
    if url.hasPrefix("mqtt://") {
      isEncrypted = false
      rest = url.dropFirst(7)
    } else if url.hasPrefix("mqtts://") {
      isEncrypted = true
      rest = url.dropFirst(8)
    } else {
      throw .usage("an MQTT source begins with mqtt:// or mqtts://")
    }
    let authority = rest.prefix { $0 != "/" }
    var hostAndPort = authority
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at]
      // Without the text: it may hold the password, and this goes to the screen and to logs.
      guard !user.contains(":") else {
        throw .usage(
          "a password in the URL would be seen by everybody on the machine: put it into a file or "
            + "into RSSI_MQTT_PASSWORD")
      }
      guard let decoded = Self.decoded(user), !decoded.isEmpty else {
        throw .usage("the user name in the URL is not percent-encoded UTF-8")
      }
      self.user = decoded
      hostAndPort = authority[authority.index(after: at)...]
    }
    (host, port) = try Self.split(hostAndPort, standard: isEncrypted ? 8883 : 1883)
    guard let topic = Self.decoded(rest.dropFirst(authority.count + 1)) else {
      throw .usage("the topic in the URL is not percent-encoded UTF-8: write a percent sign as %25")
    }
    guard !topic.isEmpty else {
      throw .usage("the URL names no topic: write for example mqtt://\(host)/ruuvi/#")
    }
    guard topic.utf8.count <= 65_535, !topic.contains("\0"),
      mosquitto_sub_topic_check(topic) == cmosquitto_success()
    else {
      throw .usage(
        "\"\(topic)\" is no topic to subscribe to: + and # stand for whole levels, # for the last")
    }
    self.topic = topic
  }

  private static func split(
    _ text: Substring, standard: Int32
  ) throws(RSSIError) -> (host: String, port: Int32) {
    var host = text
    var port = text.suffix(0)
    if text.first == "[", let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      port = text[text.index(after: end)...]
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...]
    }
    guard !host.isEmpty, !host.contains("\0") else {
      throw .usage("the URL names no broker: write for example mqtt://localhost/ruuvi/#")
    }
    guard !port.isEmpty else { return (String(host), standard) }
    guard port.first == ":", let number = Int32(port.dropFirst()), (1...65_535).contains(number)
    else { throw .usage("the port of the broker must be a number from 1 to 65535") }
    return (String(host), number)
  }

  /// A text with every `%XX` replaced by its byte; nil where that is not UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, bytes.append(hexadecimal: rest.prefix(2)) else { return nil }
      rest.removeFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension RSSIError {
  static func usage(_ description: String) -> RSSIError { RSSIError(.usage, description) }
}
