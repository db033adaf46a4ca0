import Advertising
import Capture
import Glibc
import Recordings
import Sightings
import Support
import TraceStore

/// Takes what a source receives into a trace or a stream, and does what is due by time: writing to
/// the disk, new files, the end.
struct Recorder: CaptureSink, ~Copyable {
  private let plan: CapturePlan
  private let reporting: ReportingOptions
  private var decoder = HCIEventDecoder()
  private var rows: SelectedRows
  private var files: CaptureFiles
  private var status: StatusLine

  private let began = SystemClock.monotonic
  private var nextFlush: Int64
  private var clocks = ClockWatch()
  /// The time of a recording that is played again: that of its latest report.
  private var recorded: Int64 = 0
  private var hasNew = false
  /// Whether the file of a session was deleted, which was noted.
  private var isDeleted = false
  private var receivers: [UInt16: (name: String, radio: Radio)] = [:]
  /// The distance and pose of what is heard from now on, where they change while it records.
  var standing: (distance: Double, pose: String)? { didSet { rows.intake?.standing = standing } }

  /// What was lost, by reason, over all files.
  private(set) var losses: [Gap.Reason: (times: Int, dropped: UInt64)] = [:]
  private(set) var rejected: [String: UInt64] = [:]
  /// What became of the packets, over all files.
  private(set) var counts = DecodingCounts()
  /// Those that came while there was no file.
  private var unfiled = DecodingCounts()

  init(_ plan: CapturePlan, provenance: Provenance, reporting: ReportingOptions) throws {
    self.plan = plan
    self.reporting = reporting
    files = CaptureFiles(plan, provenance: provenance)
    rows = SelectedRows(plan.selection, limit: plan.count)
    status = StatusLine(quiet: reporting.quiet || plan.output == nil)
    nextFlush = began + plan.flushPeriod
  }

  /// Whether a file was opened.
  var hasBegun: Bool { rows.intake != nil }
  var sightings: Int { rows.taken }
  var leftOut: Int { rows.leftOut }
  var paths: [String] { files.paths }
  /// The file that was closed last; nil where none was.
  var last: RecordedFile? { files.last }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    // Answers to commands come before the source is known to work; advertisements show it.
    if !hasBegun, event.announcesReports { try begin(at: time) }
    try files.btsnoop?.write(event: event, time: time)
    try decoder.decode(event, time: time, adapter: adapter, into: &rows)
    hasNew = true
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    if !hasBegun { try begin(at: report.time) }
    try files.btsnoop?.receive(report, payload: payload)
    recorded = report.time
    try rows.receive(report, payload: payload)
    hasNew = true
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    if !hasBegun { try begin(at: sighting.time) }
    try rows.receive(sighting)
    hasNew = true
  }

  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws {
    // One name can be given to one receiver; others that the source has keep theirs behind it.
    var name = name
    if let given = plan.receiver {
      name = receivers[adapter]?.name ?? (receivers.isEmpty ? given : "\(given)/\(name)")
    }
    var radio = radio
    if radio.adapter.isEmpty { radio.adapter = plan.source.description }
    receivers[adapter] = (name, radio)
    try rows.intake?.describe(adapter: adapter, name: name, radio: radio)
  }

  mutating func started() throws {
    // A recording that is played again begins with its first report.
    if !hasBegun, !plan.source.isReplay { try begin(at: SystemClock.now) }
  }

  mutating func lost(_ loss: Loss) throws {
    losses[loss.reason, default: (0, 0)].times += 1
    losses[loss.reason, default: (0, 0)].dropped += loss.dropped
    // A recording that is played again begins with what it says first.
    if !hasBegun, plan.source.isReplay { try begin(at: loss.start) }
    try rows.intake?.lost(loss)
    hasNew = true
  }

  mutating func account(for counts: DecodingCounts) {
    self.counts.merge(counts)
    for (reason, count) in counts.rejections {
      rejected[reason.rawValue, default: 0] += UInt64(count)
    }
    if hasBegun { rows.intake?.account(for: counts) } else { unfiled.merge(counts) }
  }

  mutating func reject(_ reason: String, count: UInt64) {
    rejected[reason, default: 0] += count
    rows.intake?.reject(reason, count: count)
  }

  mutating func note(_ text: String) {
    status.clear()
    reporting.note(text)
  }

  /// Takes how far the machine's clock was from a session's.
  mutating func append(_ offset: SessionOffset) { rows.intake?.append(offset) }

  mutating func tick() throws -> Bool {
    let now = SystemClock.monotonic
    if plan.output == nil, hasNew {
      // Lines are for a stage that waits for them.
      try rows.intake?.flush()
      hasNew = false
    }
    if hasBegun, now >= nextFlush {
      nextFlush = now + plan.flushPeriod
      try readClocks()
      try flush()
      status.show(
        rate: rows.takeRate(now), beacons: rows.intake?.catalogue.beacons.count ?? 0,
        lost: losses.values.reduce(0) { $0 + $1.dropped }, path: files.current)
    }
    try followFile()
    files.packNext()
    if StopSignals.isStopAsked || rows.isFull { return false }
    if let limit = plan.duration, now - began >= limit { return false }
    let isAsked = StopSignals.takeRotation()
    // A stream has no next file: whoever hangs up has stopped reading it.
    if isAsked, plan.output == nil { return false }
    if hasBegun, isAsked || files.isDue(now) { try rotate() }
    return true
  }

  /// Closes everything as whole.
  ///
  /// - Throws: `.unavailable` where the source never came to listen.
  mutating func finish() throws {
    guard hasBegun || plan.source.isReplay else {
      throw RSSIError(
        .unavailable,
        "\(plan.source) did not begin to listen before the capture ended: nothing was recorded, "
          + "and no file was changed"
      )
    }
    if !hasBegun { try begin(at: SystemClock.now) }
    try decoder.flush(into: &rows)
    try readClocks()
    try close()
    status.clear()
  }

  /// Whether an error is of the disk that takes the raw events.
  func isOfEvents(_ error: any Error) -> Bool {
    guard let path = files.btsnoopPath else { return false }
    return error as? RSSIError == .diskFull(path: path)
  }

  /// Gives the raw events up, whose disk is full, so that the trace can be closed as whole.
  mutating func abandonBTSnoop() { files.btsnoop = nil }

  private mutating func begin(at time: Int64) throws {
    recorded = time
    var intake = Intake(into: CaptureOutput(try files.open(at: time), labels: plan.labels))
    intake.currentTrace = try intake.trace(named: files.traceName)
    try plan.labels.begin(&intake)
    if let part = plan.session?.part { intake.append(part) }
    if let standing { intake.standing = standing }
    for (adapter, receiver) in receivers.sorted(by: { $0.key < $1.key }) {
      try intake.describe(adapter: adapter, name: receiver.name, radio: receiver.radio)
    }
    if !plan.source.isReplay { intake.append(clocks.begin()) }
    intake.account(for: unfiled)
    unfiled = DecodingCounts()
    rows.begin(intake)
    nextFlush = SystemClock.monotonic + plan.flushPeriod
    try flush()
  }

  private mutating func close() throws {
    mark()
    guard var intake = rows.intake.take() else { return }
    let catalogue = try intake.complete()
    let file = try intake.takeSink().finish(catalogue, orCopyTo: files.placesOfCopy)
    if let file, file.fate == .saved { note("what was recorded is saved as \(file.path)") }
    try files.close(file)
  }

  /// Notices within a tick what other programs do with the file, before anything of it is lost.
  private mutating func followFile() throws {
    switch rows.intake?.sink.place {
    case nil, .unchanged: return
    case .moved(let path):
      if files.follow(to: path) {
        note("the trace was moved to \(path) while it was being written: it goes on there")
      }
    case .deleted:
      // A part of a session is one file: it is saved when it ends.
      guard plan.session == nil else {
        if !isDeleted { note("\(files.current ?? "") was deleted: its data are saved at the end") }
        isDeleted = true
        return
      }
      note(
        "\(files.current ?? "") was deleted or replaced while it was being written: its data are "
          + "saved, and the capture goes on in a new file"
      )
      try rotate()
    }
  }

  private mutating func rotate() throws {
    status.clear()
    try close()
    files.pack()
    // The times of a recording go on in the next file.
    try begin(at: plan.source.isReplay ? recorded : SystemClock.now)
  }

  private mutating func flush() throws {
    mark()
    try files.btsnoop?.flush()
    try rows.intake?.flush()
    if let catalogue = rows.intake?.currentCatalogue() { try rows.intake?.sink.update(catalogue) }
    rows.intake?.sink.synchronise()
    hasNew = false
  }

  /// Adds the places of the receivers and what became of the packets to the trace.
  private mutating func mark() {
    rows.mark(plan.labels)
    account(for: decoder.takeCounts())
  }

  private mutating func readClocks() throws {
    // The times of a recording are of another clock.
    guard !plan.source.isReplay else { return }
    let finding = clocks.look()
    for reading in finding.readings { rows.intake?.append(reading) }
    guard let step = finding.step, let uncertain = finding.uncertain else { return }
    note(
      "the machine's clock was set by \(decimal(Double(step) / 1e9, 3)) s: /gaps has when, /clock "
        + "both clocks"
    )
    for adapter in receivers.keys.sorted() {
      try lost(
        Loss(
          adapter: adapter, reason: .clockStep, start: uncertain.lowerBound,
          end: uncertain.upperBound))
    }
  }
}
