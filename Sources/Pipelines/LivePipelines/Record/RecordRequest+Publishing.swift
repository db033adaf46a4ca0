import Capture
import Support

// A recording whose output is a subject of a NATS server.
extension RecordRequest {
  /// What publishes the output, which is connected; nil where it is a file or lines.
  ///
  /// - Throws: `RSSIError` where the server refuses it, or the spool cannot be used.
  func publisher() throws(RSSIError) -> StreamPublisher? {
    guard isPublished, let output, let spool else { return nil }
    return try StreamPublisher(
      url: output, options: source.gateways, spool: spool, limit: spoolLimit)
  }

  /// The name of the receiver: a radio that publishes is called after the last level of its subject;
  /// nil leaves the source's names, as gateways and recordings have them.
  var receiverName: String? {
    guard receiver == nil, isPublished, let output, !source.name.isGateways, !source.name.isReplay
    else { return receiver }
    return try? Capture.receiver(ofSubject: output)
  }
}
