package import Support

/// The address of a stream on a NATS server: `nats://[USER@]HOST[:PORT]/STREAM[/PARTITION]`, or
/// `nats+tls://`.
///
/// A partition is the prefix of its subjects, such as `part.0`; the rest of the subject is the
/// topic of the gateway.
struct NATSAddress: Equatable {
  let url: BrokerURL
  let stream: String
  /// The prefix of the subjects; empty for the whole stream.
  let partition: String

  /// The address without the user, as written to files and messages.
  var place: String { url.place(.nats) }

  /// The server's name in messages.
  var broker: String { url.broker(.nats) }

  /// The subject filter of the partition; nil for the whole stream.
  var filter: String? { partition.isEmpty ? nil : partition + ".>" }

  /// The default name of the consumer.
  var defaultConsumer: String {
    partition.isEmpty ? "rssi" : "rssi-" + partition.replacing(".", with: "-")
  }

  /// - Throws: `RSSIError` of kind `usage`.
  init(url text: String) throws(RSSIError) {
    url = try BrokerURL(text, .nats)
    let parts = url.path.split(separator: "/", omittingEmptySubsequences: false)
    stream = parts.first.map(String.init) ?? ""
    partition = parts.count == 2 ? String(parts[1]) : ""
    guard isNATSName(stream) else {
      throw .usage("the URL has no stream: write for example nats://\(url.host)/SITE")
    }
    guard parts.count < 2 || parts.count == 2 && isPartition else {
      throw .usage(
        "\"\(parts.dropFirst().joined(separator: "/"))\" is not a partition: write the "
          + "prefix of its subjects, such as nats://\(url.host)/\(stream)/part.0")
    }
  }

  private var isPartition: Bool {
    partition.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { isNATSName(String($0)) }
  }

  /// Returns the topic of a message's subject, as the gateway wrote it: NATS has dots instead of
  /// the slashes of MQTT, and a slash for an empty level.
  func topic(of subject: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var rest = subject[...]
    let prefix = partition.isEmpty ? 0 : partition.utf8.count + 1
    if rest.count > prefix { rest = rest.dropFirst(prefix) }
    var topic: [UInt8] = []
    topic.reserveCapacity(rest.count)
    for byte in rest {
      switch byte {
      case UInt8(ascii: "."): topic.append(UInt8(ascii: "/"))
      case UInt8(ascii: "/"): break
      default: topic.append(byte)
      }
    }
    return topic
  }
}

/// Returns a Boolean value that is true for a valid name of a stream, a consumer or a level of a
/// subject.
func isNATSName(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.count <= 128
    && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !".*>/\\".utf8.contains($0) }
}

/// The address of a subject on a NATS server: `nats://[USER@]HOST[:PORT]/SUBJECT`, or
/// `nats+tls://`.
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
      throw .usage("the URL has no subject: write for example nats://\(url.host)/rssi.hall-1")
    }
    let levels = subject.split(separator: ".", omittingEmptySubsequences: false)
    guard levels.allSatisfy({ isNATSName(String($0)) }), !subject.hasPrefix("$"),
      subject.utf8.count <= 256
    else {
      throw .usage(
        "\"\(subject)\" is not a subject for publishing: write levels separated by dots, such as "
          + "nats://\(url.host)/rssi.hall-1")
    }
  }
}

/// Returns the receiver that the URL of a subject names.
///
/// - Throws: `RSSIError` of kind `usage`.
package func receiver(ofSubject url: String) throws(RSSIError) -> String {
  try NATSSubject(url: url).receiver
}
