import Advertising
import Capture
import Recordings
import Sightings
import Support
import TracePipelines
import TraceStore

/// A sink that passes the reports of a source to a live stage and, on request, into a trace.
final class ServedSightings: CaptureSink {
  private var live: LiveSightings<LiveWatch>
  /// The recorder; nil while nothing is recorded.
  private var recorder: Recorder?
  private let asked: Shared<ServeRequest>
  private var request: ServeRequest { asked.value }
  private let desk: ServeDesk
  private let context: LiveContext
  private var standing = StandingNotices()
  /// The time of the latest report.
  private var newest: Int64?

  init(
    _ live: consuming LiveSightings<LiveWatch>, _ request: ServeRequest, _ desk: ServeDesk,
    _ context: LiveContext
  ) {
    self.live = live
    (asked, self.desk, self.context) = (Shared(request), desk, context)
  }

  func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {
    newest = time
    try record { recorder throws in
      try recorder.receive(event: event, time: time, adapter: adapter)
    }
    try live.receive(event: event, time: time, adapter: adapter)
  }

  func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    newest = report.time
    try record { recorder throws in try recorder.receive(report, payload: payload) }
    try live.receive(report, payload: payload)
  }

  func receive(_ sighting: GatewaySighting) throws {
    newest = sighting.time
    try record { recorder throws in try recorder.receive(sighting) }
    try live.receive(sighting)
  }

  func notice(_ notice: SourceNotice) throws {
    standing.keep(notice)
    // The recorder would show a message again.
    if case .message = notice { return try live.notice(notice) }
    try record { recorder throws in try recorder.notice(notice) }
    try live.notice(notice)
  }

  func tick() throws -> Bool {
    for wish in desk.takeWishes() {
      switch wish {
      case .startRecording: start()
      case .stopRecording: stop()
      case .mark(let mark): self.mark(mark)
      }
    }
    try record { recorder throws in _ = try recorder.tick() }
    return try live.tick()
  }

  var isSaved: Bool { recorder.isSaved }

  func save() throws { try record { recorder throws in try recorder.save() } }

  func finish(isWhole: Bool) throws {
    if recorder != nil { stop() }
    try live.finish(isWhole: isWhole)
  }

  // MARK: Recording

  private var recordRequest: CaptureRequest {
    var recording = CaptureRequest(request.source)
    recording.output = request.recordings
    recording.labels.anchors = request.anchors
    recording.labels.marksRooms = true
    let floors = request.watch.locating?.plan.floors ?? request.anchors?.floors ?? []
    recording.labels.floors = floors.count > 1 ? floors : []
    recording.receiver = request.watch.receiver
    // Compressing takes seconds, in which nothing would be received.
    recording.packs = false
    return recording
  }

  private func start() {
    guard recorder == nil else { return }
    guard request.recordings != nil else {
      return desk.report(.failed("recordings need a folder, and none was given at the start"))
    }
    var context = context
    (context.board, context.lines) = (nil, nil)
    do {
      var recorder = try Recorder(recordRequest, stage: "serve", context)
      try standing.repeated(to: &recorder)
      if let newest, !recorder.hasBegun { try recorder.begin(at: newest) }
      reportBeginning(of: recorder)
      self.recorder = consume recorder
    } catch {
      desk.report(.failed(text(of: error)))
    }
  }

  private func reportBeginning(of recorder: borrowing Recorder) {
    if let path = recorder.files.current { desk.report(.recording(path: path)) }
  }

  private func stop() {
    guard var recorder = recorder.take() else { return }
    do {
      if !recorder.hasBegun, let newest { try recorder.begin(at: newest) }
      try recorder.finish()
      desk.report(
        .recorded(path: recorder.files.paths.last ?? "", sightings: recorder.rows.taken))
    } catch {
      desk.report(.failed(text(of: error)))
    }
  }

  /// Marks the place of a node now: by the recording's time for a replay.
  private func mark(_ mark: TruthMark) {
    let time = request.source.name.isReplay ? newest ?? 0 : context.clock.now()
    guard recorder != nil else {
      return desk.report(.failed("nothing is being recorded: start a recording, then mark places"))
    }
    do {
      try recorder?.mark(mark, at: time)
      desk.report(.marked(mark, time: time))
    } catch {
      desk.report(.failed(text(of: error)))
    }
  }

  /// Passes something to the recording; a failed recording ends, and the service goes on.
  private func record(_ hand: (inout Recorder) throws -> Void) throws {
    guard var recorder = recorder.take() else { return }
    let hadBegun = recorder.hasBegun
    do {
      try hand(&recorder)
      // A recording that was asked for before the first sighting has its file only now.
      if !hadBegun { reportBeginning(of: recorder) }
      self.recorder = consume recorder
    } catch {
      // The trace up to then is closed as complete, if the disk takes it.
      try? recorder.finish()
      desk.report(.failed("the recording ended: \(text(of: error))"))
    }
  }
}
