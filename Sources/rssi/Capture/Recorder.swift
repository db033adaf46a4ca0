import Advertising
import Capture
import Glibc
import Recordings
import Sightings
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
  private var nextReading: Int64 = 0
  private var lastReading = SystemClock.reading
  /// The counts of the decoder that were handed on already.
  private var rejections = RejectionCounts()
  private var hasNew = false
  private var receivers: [UInt16: (name: String, radio: Radio)] = [:]

  /// What was lost, by reason, over all files.
  private(set) var losses: [Gap.Reason: (times: Int, dropped: UInt64)] = [:]
  private(set) var rejected: [String: UInt64] = [:]

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

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    try begin()
    try files.btsnoop?.write(event: event, time: time)
    try decoder.decode(event, time: time, adapter: adapter, into: &rows)
    hasNew = true
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try begin()
    try files.btsnoop?.receive(report, payload: payload)
    try rows.receive(report, payload: payload)
    hasNew = true
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    try begin()
    try rows.receive(sighting)
    hasNew = true
  }

  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws {
    try begin()
    var radio = radio
    if adapter == 0, let given = plan.receiver { receivers[adapter] = (given, radio) } else {
      receivers[adapter] = (name, radio)
    }
    if radio.adapter.isEmpty { radio.adapter = plan.source.description }
    try rows.intake?.describe(adapter: adapter, name: receivers[adapter]?.name ?? name, radio: radio)
    receivers[adapter]?.radio = radio
  }

  mutating func lost(_ loss: Loss) throws {
    try begin()
    losses[loss.reason, default: (0, 0)].times += 1
    losses[loss.reason, default: (0, 0)].dropped += loss.dropped
    guard let receiver = try rows.intake?.receiver(adapter: loss.adapter) else { return }
    rows.intake?.append(
      Gap(
        start: loss.start, end: loss.end, receiver: receiver, reason: loss.reason,
        dropped: loss.dropped))
    hasNew = true
  }

  mutating func reject(_ reason: String, count: UInt64) {
    rejected[reason, default: 0] += count
    rows.intake?.reject(reason, count: count)
  }

  mutating func note(_ text: String) {
    status.clear()
    reporting.note(text)
  }

  mutating func tick() throws -> Bool {
    try begin()
    let now = SystemClock.monotonic
    if plan.output == nil, hasNew {
      // Lines are for a stage that waits for them.
      try rows.intake?.flush()
      hasNew = false
    }
    if now >= nextFlush {
      nextFlush = now + plan.flushPeriod
      try readClock(now)
      try flush()
      status.show(
        rate: rows.takeRate(now), beacons: rows.intake?.catalogue.beacons.count ?? 0,
        lost: losses.values.reduce(0) { $0 + $1.dropped }, path: files.current)
    }
    if StopSignals.isStopAsked || rows.isFull { return false }
    if let limit = plan.duration, now - began >= limit { return false }
    if plan.output != nil, StopSignals.takeRotation() || files.isDue(now) { try rotate() }
    return true
  }

  /// Closes everything as whole.
  mutating func finish() throws {
    try begin()
    try decoder.flush(into: &rows)
    try readClock(SystemClock.monotonic)
    try close()
    status.clear()
  }

  /// Opens the first file, when there is a source that works.
  private mutating func begin() throws {
    if rows.intake == nil { try open() }
  }

  private mutating func open() throws {
    var intake = Intake(into: CaptureOutput(try files.open()))
    intake.currentTrace = try intake.trace(named: files.traceName)
    try plan.labels.begin(&intake)
    for (adapter, receiver) in receivers.sorted(by: { $0.key < $1.key }) {
      try intake.describe(adapter: adapter, name: receiver.name, radio: receiver.radio)
    }
    lastReading = SystemClock.reading
    intake.append(lastReading)
    nextReading = lastReading.monotonic + CapturePlan.clockPeriod
    rows.begin(intake)
    try flush()
  }

  private mutating func close() throws {
    mark()
    guard var intake = rows.intake.take() else { return }
    let catalogue = try intake.complete()
    try intake.takeSink().finish(catalogue)
    try files.close()
  }

  private mutating func rotate() throws {
    status.clear()
    try close()
    files.pack()
    try open()
  }

  private mutating func flush() throws {
    mark()
    try files.btsnoop?.flush()
    try rows.intake?.flush()
    if let catalogue = rows.intake?.currentCatalogue() { try rows.intake?.sink.update(catalogue) }
    rows.intake?.sink.synchronise()
    hasNew = false
  }

  /// Tells the trace where the receiver is and what the decoder refused.
  private mutating func mark() {
    if plan.labels.receiver != nil, rows.span != nil,
      let index = try? rows.intake?.receiver(adapter: 0)
    {
      rows.mark(plan.labels, receiver: index)
    }
    for (reason, count) in decoder.counts.rejections where count > rejections[reason] {
      reject(reason.rawValue, count: UInt64(count - rejections[reason]))
    }
    rejections = decoder.counts.rejections
  }

  /// Notes the clocks once a minute, and at once when somebody set the first.
  private mutating func readClock(_ now: Int64) throws {
    let reading = SystemClock.reading
    let step = (reading.time - lastReading.time) - (reading.monotonic - lastReading.monotonic)
    let isStep = abs(step) > CapturePlan.clockStep
    if isStep {
      rows.intake?.append(lastReading)
      note(
        "the machine's clock was set by \(decimal(Double(step) / 1e9, 3)) s: /gaps has when, /clock both clocks")
      try lost(Loss(adapter: 0, reason: .clockStep, start: lastReading.time, end: reading.time))
    }
    if isStep || now >= nextReading {
      rows.intake?.append(reading)
      nextReading = now + CapturePlan.clockPeriod
    }
    lastReading = reading
  }
}
