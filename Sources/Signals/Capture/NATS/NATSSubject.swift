package import Support

/// A subject of a NATS server: `nats://[USER@]HOST[:PORT]/SUBJECT`, or `nats+tls://`.
///
/// The last level names the receiver, such as `rssi.hall-1`.
struct NATSSubject: Equatable {
  let url: BrokerURL
  let subject: String

  var broker: String { url.broker(.nats) }
  var receiver: String { String(subject.split(separator: ".").last ?? "") }

  /// - Throws: `RSSIError` of kind `usage`.
  init(url text: String) throws(RSSIError) {
    url = try BrokerURL(text, .nats)
    subject = url.path
    guard !subject.isEmpty else {
      throw .usage("the URL names no subject: write for example nats://\(url.host)/rssi.hall-1")
    }
    let levels = subject.split(separator: ".", omittingEmptySubsequences: false)
    guard levels.allSatisfy({ isNATSName(String($0)) }), !subject.hasPrefix("$"),
      subject.utf8.count <= 256
    else {
      throw .usage(
        "\"\(subject)\" is not a subject to publish to: write levels with dots between, such as "
          + "nats://\(url.host)/rssi.hall-1")
    }
  }
}

/// The receiver that the URL of a subject names.
///
/// - Throws: `RSSIError` of kind `usage`.
package func receiver(ofSubject url: String) throws(RSSIError) -> String {
  try NATSSubject(url: url).receiver
}
