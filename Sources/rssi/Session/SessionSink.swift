import Advertising
import Capture
import Glibc
import LivePipelines
import Sightings
import Support
import TraceStore

/// Lets through to a recorder what is received from the agreed start to the agreed end.
///
/// What a radio's events are stamped with decides, not when this program gets round to them; so a
/// start is as exact as the clocks are compared.
struct SessionSink: CaptureSink, ~Copyable {
  /// The session ended, or failed, before this member recorded anything.
  struct NeverBegan: Error {}

  private let request: RecordRequest
  private let context: LiveContext
  /// The longest that this member records, in nanoseconds from the session's start.
  private let limit: Int64?
  private let output: String
  private let conversation: LobbyConversation
  private let provenance: Provenance
  private var described: [UInt16: (name: String, radio: Radio)] = [:]
  private var isListening = false
  /// When the session started, on the machine's monotonic clock; nil until this member records.
  private var start: Int64?
  var recorder: Recorder?
  /// What was agreed when it began, and how that went.
  private(set) var beginning: SessionBeginning?

  init(
    _ request: RecordRequest, limit: Int64?, output: String, conversation: LobbyConversation,
    provenance: Provenance, context: LiveContext
  ) {
    self.request = request
    self.context = context
    self.limit = limit
    self.output = output
    self.conversation = conversation
    self.provenance = provenance
  }

  var hasBegun: Bool { beginning != nil }

  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    if try isOpen(at: time) { try recorder?.receive(event: event, time: time, adapter: adapter) }
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    // A recording's and a gateway's times are not of this machine's clock.
    if try isOpen(at: context.clock.now()) { try recorder?.receive(report, payload: payload) }
  }

  mutating func receive(_ sighting: NamedSighting) throws {
    if try isOpen(at: context.clock.now()) { try recorder?.receive(sighting) }
  }

  mutating func describe(adapter: UInt16, name: String, radio: Radio) throws {
    described[adapter] = (name, radio)
    try recorder?.describe(adapter: adapter, name: name, radio: radio)
  }

  mutating func started() throws {
    isListening = true
    conversation.sourceIsReady()
    guard request.source.name.isReplay else { return }
    // Its first report is to come at the start, not while others are waited for.
    while !hasBegun {
      guard try tick() else { throw NeverBegan() }
      guard !hasBegun else { return }
      let left = conversation.agreement.start.map { $0 - context.clock.monotonic() } ?? .max
      usleep(UInt32(min(max(left / 1000, 0), 10_000)))
    }
  }

  mutating func lost(_ loss: Loss) throws { try recorder?.lost(loss) }

  mutating func account(for counts: DecodingCounts) { recorder?.account(for: counts) }

  mutating func reject(_ reason: String, count: UInt64) { recorder?.reject(reason, count: count) }

  mutating func note(_ text: String) { context.log.note(text) }

  mutating func tick() throws -> Bool {
    let agreement = conversation.agreement
    // Two files of one part would be two parts: a wish for a new file is not for sessions.
    _ = context.control.takeRotation()
    guard recorder != nil else {
      if context.control.isStopAsked || agreement.failure != nil { return false }
      if isListening, let start = agreement.start, context.clock.monotonic() >= start {
        try begin(agreement, start)
      }
      return true
    }
    // A recording that is played again has no file before its first report.
    if recorder?.hasBegun == true {
      for offset in conversation.takeOffsets() { recorder?.append(offset) }
    }
    let now = context.clock.monotonic()
    if let end = agreement.end, now >= end { return false }
    if let end = ownEnd(agreement), now >= end {
      context.log.note("this member's --duration is over; the session goes on without it")
      return false
    }
    if let failure = agreement.failure {
      context.log.note("the recording ends: \(failure)")
      return false
    }
    return try recorder?.tick() ?? false
  }

  /// Closes the part as whole.
  mutating func finish() throws {
    if recorder?.hasBegun == true {
      for offset in conversation.takeOffsets(isEnd: true) { recorder?.append(offset) }
    }
    try recorder?.finish()
  }

  /// Whether something of a time of the machine's clock is of the session.
  private mutating func isOpen(at time: Int64) throws -> Bool {
    let agreement = conversation.agreement
    let reading = context.clock.reading
    let monotonic = time &- reading.time &+ reading.monotonic
    if recorder == nil {
      guard isListening, agreement.failure == nil, let start = agreement.start, monotonic >= start
      else { return false }
      try begin(agreement, start)
    }
    return monotonic <= min(agreement.end ?? .max, ownEnd(agreement) ?? .max)
  }

  /// When this member ends by itself, on the machine's monotonic clock; nil where only the session
  /// ends it.
  private func ownEnd(_ agreement: LobbyConversation.Agreement) -> Int64? {
    guard let limit, let start, let announcement = agreement.announcement else { return nil }
    // A session that is no longer ends for all at one instant.
    if let end = announcement.end, end &- announcement.start <= limit { return nil }
    return start &+ limit
  }

  private mutating func begin(_ agreement: LobbyConversation.Agreement, _ start: Int64) throws {
    guard let announcement = agreement.announcement else { return }
    self.start = start
    let reading = context.clock.reading
    let files = try PartFiles(output)
    let number = files.parts(of: conversation.me.key, in: announcement.session).count + 1
    let time = announcement.start &+ (reading.monotonic - start)
    var request = request
    request.output = files.next
    let session = (
      SessionMark(
        lobby: conversation.topics.lobby, id: announcement.session.description,
        start: announcement.start),
      SessionPart(
        id: Token.random().description, key: conversation.me.key.description,
        member: conversation.me.name, number: UInt16(clamping: number), start: time,
        isMachineClock: !request.source.name.isReplay)
    )
    // Before the file is made, which takes time: what is received meanwhile is of the session.
    beginning = SessionBeginning(
      announcement: announcement, path: files.next, begun: reading,
      lateness: reading.monotonic - start)
    conversation.began()
    var recorder = Recorder(request, provenance: provenance, context, session: session)
    for (adapter, receiver) in described.sorted(by: { $0.key < $1.key }) {
      try recorder.describe(adapter: adapter, name: receiver.name, radio: receiver.radio)
    }
    try recorder.started()
    self.recorder = consume recorder
    context.log.note(
      "recording session \(announcement.session.description.prefix(8)) into \(files.next)")
  }
}

/// How a member's recording began.
struct SessionBeginning {
  var announcement: Announcement
  var path: String
  /// This machine's clocks when it began.
  var begun: ClockReading
  /// Nanoseconds after the announced start; of who joins a running session, how much it missed.
  var lateness: Int64
}
