import Advertising
import Capture
package import Sightings
import Support
import TracePipelines
import TraceStore

/// The beginning of a member's recording.
public struct SessionBeginning: Sendable {
  /// The identity of the session.
  public var session: Token
  /// The agreed start, in nanoseconds since the Unix epoch of the session's time.
  public var start: Int64
  /// The first file of the recording.
  public var path: String
  /// The readings of this machine's clocks at the beginning.
  package var begun: ClockReading
  /// The delay after the announced start, in nanoseconds; for a member that joins a running
  /// session, the time that it missed.
  public var lateness: Int64
}

/// Passes the reports from the agreed start to the agreed end to a recorder.
///
/// The time stamps of a radio's events count, not the time at which this program reads them, so a
/// start is as exact as the comparison of clocks.
final class SessionSink: CaptureSink {
  /// The session ended, or failed, before this member recorded anything.
  struct NeverBegan: Error {}

  private let asked: Shared<SessionRequest>
  private var request: SessionRequest { asked.value }
  private let mailbox: RendezvousMailbox
  private let provenance: Provenance
  private let context: LiveContext
  private var standing = StandingNotices()
  /// The start of the session, on the machine's monotonic clock; nil until this member records.
  private var start: Int64?
  private var recorder: Recorder?
  /// The agreement at the beginning, and the outcome of the beginning.
  private(set) var beginning: SessionBeginning?

  init(
    _ request: SessionRequest, _ mailbox: RendezvousMailbox, provenance: Provenance,
    _ context: LiveContext
  ) {
    (asked, self.mailbox) = (Shared(request), mailbox)
    (self.provenance, self.context) = (provenance, context)
  }

  private var isReplay: Bool { request.recording.source.name.isReplay }

  func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    if try isOpen(at: time) { try recorder?.receive(event: event, time: time, adapter: adapter) }
  }

  func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    // The times of a recording and of a gateway are not of this machine's clock.
    if try isOpen(at: context.clock.now()) { try recorder?.receive(report, payload: payload) }
  }

  func receive(_ sighting: GatewaySighting) throws {
    if try isOpen(at: context.clock.now()) { try recorder?.receive(sighting) }
  }

  func notice(_ notice: SourceNotice) throws {
    standing.keep(notice)
    switch notice {
    case .start: return try awaitStart()
    case .message(let text): return context.log.note(text)
    // A message without recorded rows is not covered by the trace.
    case .position: guard try isOpen(at: context.clock.now()) else { return }
    case .receiver, .stream, .loss, .counts, .refusal: break
    }
    try recorder?.notice(notice)
  }

  /// Notes that the source listens; a replayed recording waits for the session here.
  private func awaitStart() throws {
    mailbox.sourceIsReady()
    guard isReplay else { return }
    // The first report is due at the start, not while the member waits for others.
    while beginning == nil {
      guard try tick() else { throw NeverBegan() }
      guard beginning == nil else { return }
      let left = mailbox.agreement.start.map { $0 - context.clock.monotonic() } ?? .max
      context.clock.pause(Int32(min(max(left / 1_000_000, 0), 10)))
    }
  }

  var isSaved: Bool { recorder.isSaved }

  func save() throws { try recorder?.save() }

  func tick() throws -> Bool {
    let agreement = mailbox.agreement
    // Two files of one part would be two parts: a session does not rotate.
    _ = context.control.takeRotation()
    guard recorder != nil else {
      if context.control.isStopAsked || agreement.failure != nil { return false }
      if standing.isStarted, let start = agreement.start, context.clock.monotonic() >= start {
        try begin(agreement, start)
      }
      return true
    }
    // A replayed recording has no file before its first report.
    if recorder?.hasBegun == true {
      for offset in mailbox.takeOffsets() { recorder?.append(offset) }
    }
    let now = context.clock.monotonic()
    if let end = agreement.end, now >= end { return false }
    if let end = ownEnd(agreement), now >= end {
      context.log.note("this member's `duration` is over; the session goes on without it")
      return false
    }
    if let failure = agreement.failure {
      context.log.warn("the recording ends: \(failure)")
      return false
    }
    return try recorder?.tick() ?? false
  }

  /// Closes the part as complete.
  func finish() throws {
    if recorder?.hasBegun == true {
      for offset in mailbox.takeOffsets(isEnd: true) { recorder?.append(offset) }
    }
    try recorder?.finish()
  }

  /// Returns the result of the recording; nil if nothing was recorded.
  func takeResult() -> CaptureResult? { recorder.take()?.packedResult() }

  /// Returns true if a time of the machine's clock is within the session.
  private func isOpen(at time: Int64) throws -> Bool {
    let agreement = mailbox.agreement
    let reading = context.clock.reading
    let monotonic = time &- reading.time &+ reading.monotonic
    if recorder == nil {
      guard standing.isStarted, agreement.failure == nil, let start = agreement.start,
        monotonic >= start
      else { return false }
      try begin(agreement, start)
    }
    return monotonic <= min(agreement.end ?? .max, ownEnd(agreement) ?? .max)
  }

  /// Returns the end of this member alone, on the machine's monotonic clock; nil if only the
  /// session ends it.
  private func ownEnd(_ agreement: RendezvousAgreement) -> Int64? {
    guard let limit = request.duration?.nanoseconds, let start else { return nil }
    // A session that is not longer ends for all at one instant.
    if let duration = agreement.duration, duration <= limit { return nil }
    return start &+ limit
  }

  private func begin(_ agreement: RendezvousAgreement, _ start: Int64) throws {
    guard let session = agreement.session else { return }
    self.start = start
    let reading = context.clock.reading
    let lateness = reading.monotonic - start
    let files = try PartFiles(request.output)
    let earlier = files.parts(of: mailbox.me.key, in: session.id)
    var recording = request.recording
    recording.output = files.next
    // Before the file is made, which takes time: reports in the meantime are of the session.
    beginning = SessionBeginning(
      session: session.id, start: session.start, path: files.next, begun: reading,
      lateness: lateness)
    mailbox.began(
      (earlier + [files.next]).suffix(64).map {
        $0.split(separator: "/").last.map(String.init) ?? $0
      })
    let mark = SessionMark(
      lobby: mailbox.topics.lobby, id: session.id.description, start: session.start)
    let part = SessionPart(
      id: Token.random().description, key: mailbox.me.key.description, member: mailbox.me.name,
      number: UInt16(clamping: earlier.count + 1), start: session.start &+ lateness,
      isMachineClock: !isReplay)
    var recorder = Recorder(recording, provenance: provenance, context, session: (mark, part))
    try standing.repeated(to: &recorder)
    self.recorder = consume recorder
    context.log.note(
      "recording session \(session.id.description.prefix(8)) into \(files.next)")
  }
}
