import Capture
import Recordings
import Sightings
public import Support
import TraceStore

/// A recording to make: its source, its files and its labels.
public struct CaptureRequest: Sendable {
  /// The source to record.
  public var source: SourceRequest
  /// The trace to write; or a folder, with a slash at its end, in which each file is named after
  /// the source and its start; or the URL of a subject of a NATS server; nil writes lines.
  public var output: String?
  /// The folder for records that the NATS server has not acknowledged yet.
  public var spool: String?
  /// The maximum size of the spool, in bytes; beyond it the oldest records are dropped.
  public var spoolLimit: UInt64 = 1_000_000_000
  /// The file that also takes the raw HCI events.
  public var btsnoop: String?
  /// The reports to keep; all by default.
  public var selection = ReportSelection()
  /// The labels that are written as truth.
  public var labels = RecordLabels()
  /// The note about the recording, kept in the trace; may be empty.
  public var note = ""
  /// The name of the receiver, in place of the source's.
  public var receiver: String?
  /// The name of the trace, in place of the file's.
  public var trace: String?
  /// The duration of the recording; nil = until asked to stop.
  public var duration: Duration?
  /// The number of sightings after which the recording ends; nil = no limit.
  public var count: Int?
  /// The rule that begins new files; nil writes one file.
  public var rotate: FileRotation?
  /// The time between two writes to the file: a kill loses no more.
  public var flush: Duration = .seconds(1)
  /// A Boolean value that is true to compress each file once it is closed.
  public var packs = true
  /// The program that compresses a file while the recording goes on in the next one; nil leaves
  /// such files as they are.
  package var packer: PackingProgram?

  /// Creates a request to record a source.
  public init(_ source: SourceRequest) { self.source = source }

  /// A Boolean value that is true if the output is a folder.
  public var isIntoFolder: Bool { folder != nil }

  /// A Boolean value that is true if the output is published to a server.
  public var isPublished: Bool { output.map(Self.isPublished) ?? false }

  /// Returns whether an output is a subject of a server to publish to.
  public static func isPublished(_ output: String) -> Bool {
    output.hasPrefix("nats://") || output.hasPrefix("nats+tls://")
  }

  /// The folder of the output; nil if it is a file, a server or lines.
  var folder: String? { output?.hasSuffix("/") == true && !isPublished ? output : nil }

  /// The pattern of file names; nil if there is no file.
  var pattern: String? {
    isPublished ? nil : folder.map { $0 + source.name.fileStem + ".h5" } ?? output
  }

  /// A Boolean value that is true if each file has the time of its start in its name.
  var isStamped: Bool { rotate != nil || isIntoFolder }

  /// Returns the places in streams that the captures in the folder of the output have reached;
  /// empty if the output is a file or a stream of lines.
  ///
  /// A trace that cannot be read is left out with a warning.
  func positions(
    warning log: any ActivityLog
  ) -> [(stream: StreamIdentity, position: StreamPosition)] {
    guard let folder else { return [] }
    let names = entries(ofFolder: folder).filter { $0.hasSuffix(".h5") && !$0.hasPrefix(".") }
    return names.compactMap { name in
      let path = folder + name
      do {
        return try streamPosition(ofTrace: path)
      } catch {
        log.warn(
          "the place of \(path) in a stream is not known (\(text(of: error))): messages may be recorded twice"
        )
        return nil
      }
    }
  }

  /// Refuses a recording that cannot be made.
  ///
  /// - Throws: `RSSIError` of kind `usage` for values that cannot be met, alone or together.
  public func check() throws(RSSIError) {
    if let count, count <= 0 {
      throw RSSIError(
        .usage, "`count` \(count): expected at least 1")
    }
    try checkTexts()
    try rotate?.check()
    if source.name.isGateways, labels.rooms.contains(where: \.node.isEmpty) {
      throw RSSIError(
        .usage,
        "`room` is that of the receiver, but every gateway is one: name the beacon that is in the room, as "
          + "BEACON=ROOM")
    }
    if source.name.isGateways, labels.at != nil || receiver != nil {
      throw RSSIError(
        .usage,
        "`at` and `receiver` describe one receiver, but every gateway is a receiver: leave them out; `rssi "
          + "import` reads the places of gateways from a table"
      )
    }
    if isPublished { return try checkPublication() }
    guard output == nil else { return }
    if rotate != nil {
      throw RSSIError(.usage, "`rotate` needs a file: lines are written as one stream")
    }
    for (name, isGiven) in [
      ("beaconAt", !labels.beaconAt.isEmpty), ("room", !labels.rooms.isEmpty),
    ]
    where isGiven {
      throw RSSIError(.usage, "`\(name)` needs a file: lines of a stream cannot contain it")
    }
  }

  private func checkPublication() throws(RSSIError) {
    guard spool != nil else {
      throw RSSIError(.usage, "a NATS server as output needs a folder: name one with `spool`")
    }
    guard rotate == nil else {
      throw RSSIError(.usage, "`rotate` needs a file: messages are published as one stream")
    }
    guard labels.isEmpty, note.isEmpty, trace == nil else {
      throw RSSIError(
        .usage,
        "`at`, `beaconAt`, `room`, `distance`, `pose`, `note` and `trace` need a file: messages cannot contain "
          + "them; label the trace of the stream")
    }
  }

  private func checkTexts() throws(RSSIError) {
    for (name, text, lengths) in [
      ("pose", labels.pose, 0...TextLimit.pose.bytes),
      ("receiver", receiver ?? "-", 1...TextLimit.name.bytes),
      ("trace", trace ?? "-", 1...TextLimit.trace.bytes),
    ] {
      guard lengths.contains(text.utf8.count), !text.utf8.contains(where: { $0 < 0x20 }) else {
        throw RSSIError(
          .usage,
          "`\(name)` \"\(text)\": expected \(lengths.lowerBound) to \(lengths.upperBound) bytes "
            + "without control characters")
      }
    }
    for (identity, _) in labels.beaconAt {
      try TextLimit.name.require(identity, "beacon of `beaconAt`", .usage)
    }
    guard trace == nil, let pattern else { return }
    let longest = TextLimit.trace.bytes - (isStamped ? FileRotation.longestStamp : 0)
    guard fileStem(pattern).utf8.count <= longest else {
      throw RSSIError(
        .usage, "the trace is named after this file, and a name has at most \(longest) bytes",
        in: pattern, advice: "name it with `trace`, or rename the file")
    }
  }
}

// Recordings whose output is a subject of a NATS server.
extension CaptureRequest {
  /// Returns the connected publisher of the output; nil if the output is a file or lines.
  ///
  /// - Throws: `RSSIError` if the server refuses it, or the spool cannot be used.
  func publisher() throws(RSSIError) -> StreamPublisher? {
    guard isPublished, let output, let spool else { return nil }
    return try StreamPublisher(
      url: output, options: source.gateways, spool: spool, limit: spoolLimit)
  }

  /// The name of the receiver: a radio that publishes is named after the last level of its subject;
  /// nil keeps the source's names, as for gateways and recordings.
  var receiverName: String? {
    guard receiver == nil, isPublished, let output, !source.name.isGateways, !source.name.isReplay
    else { return receiver }
    return try? Capture.receiver(ofSubject: output)
  }
}
