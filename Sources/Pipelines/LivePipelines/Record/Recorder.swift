package import Advertising
package import Capture
import Recordings
import Sightings
package import Support
import TracePipelines
import TraceStore

/// Records the reports of a source into a trace or a stream, and does the work that is due by time:
/// flushes, new files, the end.
package struct Recorder: CaptureSink, ~Copyable {
  private let asked: Shared<CaptureRequest>
  var request: CaptureRequest { asked.value }
  let context: LiveContext
  /// The part of a session that it records, if any.
  let part: SessionPart?
  var decoder = HCIEventDecoder()
  var rows: SelectedRows
  var files: RecordingFiles

  private let began: Int64
  var nextFlush: Int64
  var clocks: ClockWatch
  /// The time of a replayed recording: that of its latest report.
  var recorded: Int64 = 0
  var hasNew = false
  /// A Boolean value that is true if the file has sightings, or anything else that was received.
  var hasContent = false
  /// The number of reports in earlier files.
  var takenBefore = 0
  /// The time at which the output was last flushed, by the monotonic clock.
  var flushed: Int64?
  /// The waiting times of rows, while no file is open; nil if metrics are not requested.
  var latency: RowLatency?
  /// A Boolean value that is true if the file of a session was deleted, which was noted.
  var isDeleted = false
  /// The place in a broker's stream since the last flush; nil = nothing was received.
  var position: StreamPosition?
  private(set) var receivers: [UInt16: (name: String, radio: Radio)] = [:]
  /// The distance and pose of reports from now on, if they change during the recording.
  package var standing: (distance: Double, pose: String)? {
    didSet { rows.builder?.standing = standing }
  }

  /// The losses, by reason, over all files.
  private(set) var losses: [Gap.Reason: CaptureResult.Losses] = [:]
  private(set) var rejected: [String: UInt64] = [:]
  /// The counts of the packets, over all files.
  private(set) var counts = DecodingCounts()
  /// The counts of packets that came while no file was open.
  var unfiled = DecodingCounts()

  /// - Parameter stage: the origin of the trace, such as `capture`.
  /// - Throws: `RSSIError` for a request that cannot be met, and for a recording to replay that
  ///   cannot be read.
  package init(_ request: CaptureRequest, stage: String, _ context: LiveContext) throws {
    try request.check()
    let provenance = try context.tool.provenance(
      of: stage, inputs: request.source.name.readFiles())
    let publisher = try request.publisher()
    self.init(request, provenance: provenance, context)
    files.publisher = publisher
  }

  /// - Parameter session: the part of a session that it records.
  init(
    _ request: CaptureRequest, provenance: Provenance, _ context: LiveContext,
    session: (mark: SessionMark, part: SessionPart)? = nil
  ) {
    asked = Shared(request)
    self.context = context
    part = session?.part
    began = context.clock.monotonic()
    files = RecordingFiles(asked, session: session?.mark, provenance: provenance, context)
    rows = SelectedRows(request.selection, limit: request.count, at: began)
    clocks = ClockWatch(context.clock)
    nextFlush = began + request.flush.nanoseconds
    if context.board != nil { latency = RowLatency(of: request.source.name, context.clock) }
  }

  /// A Boolean value that is true if a file was opened.
  package var hasBegun: Bool { rows.builder != nil }
  /// The file that was closed last; nil if there is none.
  package var last: RecordedFile? { files.last }

  var isReplay: Bool { request.source.name.isReplay }
  var lostEvents: UInt64 { losses.values.reduce(0) { $0 + $1.dropped } }

  package mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    // Answers to commands come before the source is known to work; advertisements show it.
    if !hasBegun, event.announcesReports { try begin(at: time) }
    try files.btsnoop?.write(event: event, time: time)
    try decoder.decode(event, time: time, adapter: adapter, into: &rows)
    hasNew = true
  }

  package mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    if !hasBegun { try begin(at: report.time) }
    try files.btsnoop?.receive(report, payload: payload)
    recorded = report.time
    try rows.receive(report, payload: payload)
    hasNew = true
  }

  package mutating func receive(_ sighting: GatewaySighting) throws {
    if !hasBegun { try begin(at: sighting.time) }
    try rows.receive(sighting)
    hasNew = true
  }

  package mutating func notice(_ notice: SourceNotice) throws {
    switch notice {
    case .receiver(let adapter, let name, let radio): try describe(adapter, name, radio)
    case .stream(let stream): files.stream = stream
    case .position(let position):
      self.position = position
      hasNew = true
      // The rows of a message are committed with its number: a block must not fill up within it.
      if rows.builder?.waitingRows ?? 0 >= Self.mostWaitingRows { try flush() }
    case .start:
      // A replayed recording begins with its first report.
      if !hasBegun, !isReplay { try begin(at: context.clock.now()) }
    case .loss(let loss): try lost(loss)
    case .counts(let counts): account(for: counts)
    case .refusal(let reason, let count):
      rejected[reason, default: 0] += count
      rows.builder?.reject(reason, count: count)
    case .message(let text): note(text)
    }
  }

  /// Half a block: the other half is room for the longest message of a gateway.
  static let mostWaitingRows = 32_768

  private mutating func describe(_ adapter: UInt16, _ name: String, _ radio: Radio) throws {
    // A name applies to one receiver; others of the source keep theirs behind it.
    var name = name
    if let given = request.receiverName {
      name = receivers[adapter]?.name ?? (receivers.isEmpty ? given : "\(given)/\(name)")
    }
    var radio = radio
    if radio.adapter.isEmpty { radio.adapter = request.source.name.description }
    receivers[adapter] = (name, radio)
    try rows.builder?.describe(adapter: adapter, name: name, radio: radio)
  }

  mutating func lost(_ loss: Loss) throws {
    losses[loss.reason, default: CaptureResult.Losses()].add(loss)
    // A replayed recording begins with its first report.
    if !hasBegun, isReplay { try begin(at: loss.start) }
    try rows.builder?.lost(loss)
    hasNew = true
  }

  mutating func account(for counts: DecodingCounts) {
    self.counts.merge(counts)
    for (reason, count) in counts.rejections {
      rejected[reason.rawValue, default: 0] += UInt64(count)
    }
    hasNew = true
    if hasBegun { rows.builder?.account(for: counts) } else { unfiled.merge(counts) }
  }

  mutating func note(_ text: String) {
    context.control.show(nil)
    context.log.note(text)
  }

  package mutating func tick() throws -> Bool {
    let now = context.clock.monotonic()
    if request.output == nil, hasNew {
      // Lines are for a stage that waits for them.
      try rows.builder?.flush()
      flushed = now
      hasNew = false
    }
    if hasBegun, now >= nextFlush {
      nextFlush = now + request.flush.nanoseconds
      try readClocks()
      try flush()
      showStatus(at: now)
    }
    if let text = rows.builder?.takeLevelWarning() { note("warning: \(text)") }
    context.board?.publish(at: now, metrics)
    try followFile()
    files.packNext()
    try followPublisher()
    if context.control.isStopAsked || rows.isFull { return false }
    if let limit = request.duration, now - began >= limit.nanoseconds { return false }
    let isAsked = context.control.takeRotation()
    // A stream has no next file: a user who hangs up has stopped reading it.
    if isAsked, request.output == nil { return false }
    if hasBegun, isAsked || files.isDue(now), files.publisher == nil { try rotate() }
    return true
  }

  package var isSaved: Bool { !hasNew }

  package mutating func save() throws {
    if hasBegun, hasNew { try flush() }
  }

  private mutating func showStatus(at now: Int64) {
    context.control.show(
      RecordStatus(
        reportsPerSecond: rows.takeRate(now), beacons: rows.builder?.catalogue.beacons.count ?? 0,
        lost: lostEvents, path: files.current))
  }
}

extension Recorder {
  /// The progress of the recording.
  var metrics: StageMetrics {
    var metrics = StageMetrics()
    metrics.sightings = UInt64(rows.taken)
    metrics.reports = UInt64(
      PacketFigures(counts, sightings: rows.taken, leftOut: rows.leftOut).reports)
    metrics.losses = losses.mapValues { (gaps: UInt64($0.times), events: $0.dropped) }
    metrics.rejected = rejected
    metrics.flushed = flushed
    switch rows.builder {
    case .some(let builder):
      (metrics.waiting, metrics.latency) = (builder.waitingRows, builder.sink.latency?.histogram)
    case .none: (metrics.waiting, metrics.latency) = (0, latency?.histogram)
    }
    return metrics
  }

  /// Waits until all received rows are published.
  ///
  /// - Returns: the remaining problem; nil if everything is published, and without a publisher.
  mutating func finishPublishing() -> RSSIError? {
    guard let publisher = files.publisher else { return nil }
    let failure = publisher.finish()
    for text in publisher.takeNotes() { note(text) }
    return failure
  }

  /// Returns the result; the last file is compressed first, if requested.
  func packedResult() -> CaptureResult {
    guard let last else { return result(isInPlace: false) }
    // Another program may have put a different file in its place.
    guard last.isInPlace else {
      context.log.warn("\(last.path) was moved, replaced or deleted after it was closed")
      return result(isInPlace: false)
    }
    if request.packs { last.pack(noting: context.log) }
    return result(isInPlace: true)
  }

  func result(isInPlace: Bool) -> CaptureResult {
    let paths = files.paths
    return CaptureResult(
      sightings: rows.taken, leftOut: rows.leftOut, losses: losses, rejected: rejected,
      packets: PacketFigures(counts, sightings: rows.taken, leftOut: rows.leftOut), files: paths,
      onlyFile: isInPlace && paths.count == 1 ? paths[0] : nil)
  }
}
