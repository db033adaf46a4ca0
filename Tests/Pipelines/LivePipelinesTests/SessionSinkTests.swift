import Advertising
import Capture
import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@testable import LivePipelines

@Suite("What of a source is of a session")
struct SessionSinkTests {
  private let around = TestSurroundings()
  private let folder: TemporaryDirectory
  private let mailbox: RendezvousMailbox
  private let session = Token.random()
  /// The start by the monotonic clock, seconds after now.
  private static let start: Int64 = 10

  init() throws {
    folder = try TemporaryDirectory()
    let me = Member(name: "a", key: .random(), incarnation: .random())
    mailbox = RendezvousMailbox(me, lobby: "lab")
  }

  private func agree(end: Int64? = nil, failure: RSSIError? = nil) {
    var agreement = RendezvousAgreement(session: (session, around.time.now))
    agreement.start = origin + Self.start * Timestamp.second
    agreement.end = end.map { origin + $0 * Timestamp.second }
    agreement.failure = failure
    mailbox.update(agreement)
  }

  private let origin: Int64 = 5_000_000_000

  private func sink(_ change: (inout SessionRequest) -> Void = { _ in }) throws -> SessionSink {
    var request = SessionRequest(
      lobby: RendezvousRequest(lobby: "lab", broker: ""), name: "a",
      recording: CaptureRequest(SourceRequest(.adapter(0))), output: folder.path("a.h5"))
    request.recording.packs = false
    change(&request)
    let provenance = Provenance(stage: "session", toolVersion: "1", commandLine: "", inputs: [])
    return SessionSink(request, mailbox, provenance: provenance, around.context)
  }

  /// The event of a legacy advertisement (Core Specification 5.4, volume 4, part E, 7.7.65.2).
  private let event: [UInt8] = [
    0x3E, 15, 0x02, 1, 0, 0, 1, 2, 3, 4, 5, 6, 3, 2, 1, 6, 0xC4,
  ]

  @Test func `stamps decide, not when the events are read`() throws {
    let sink = try sink()
    try sink.notice(.receiver(adapter: 0, name: "hci0", radio: Radio()))
    try sink.notice(.start)
    agree(end: 14)
    around.time.advance(seconds: 12)
    // All of them are read at 12 s; the stamps are of 9, 11 and 15 s.
    for stamp: Int64 in [9, 11, 15] {
      let time = around.time.now + (stamp - 12) * Timestamp.second
      try sink.receive(event: event.span, time: time, adapter: 0)
    }
    around.time.advance(seconds: 1)
    #expect(try sink.tick())
    around.time.advance(seconds: 1)
    #expect(try !sink.tick())
    try sink.finish()
    #expect(sink.takeResult()?.sightings == 1)
    #expect(sink.beginning?.lateness == 2 * Timestamp.second)
    let trace = try TraceReader(path: folder.path("a.h5"))
    #expect(trace.session?.id == session.description)
    #expect(trace.catalogue.parts.map(\.member) == ["a"])
    #expect(trace.catalogue.receivers.map(\.id) == ["a"])
  }

  @Test func `a shorter duration ends this member only`() throws {
    let sink = try sink { $0.duration = .seconds(5) }
    try sink.notice(.start)
    agree()
    around.time.advance(seconds: 14)
    #expect(try sink.tick())
    #expect(try sink.tick())
    around.time.advance(seconds: 1)
    #expect(try !sink.tick())
    #expect(around.log.notes.last?.contains("`duration` is over") == true)
  }

  @Test func `a new file is not begun within a part`() throws {
    let sink = try sink()
    try sink.notice(.start)
    agree()
    around.time.advance(seconds: 11)
    #expect(try sink.tick())
    around.control.askForNewFile()
    #expect(try sink.tick())
    try sink.finish()
    #expect(sink.takeResult()?.files == [folder.path("a.h5")])
  }

  @Test func `the part names the stream, and its place while the session runs`() throws {
    let stream = StreamIdentity(broker: "b:4222", name: "SITE", partition: "", created: 1)
    let sink = try sink { $0.recording.source = SourceRequest(SourceName(.nats, "b/SITE")) }
    try sink.notice(.stream(stream))
    try sink.notice(.start)
    agree(end: 14)
    // Before the session, in it twice, and after it.
    for (number, seconds): (UInt64, Int64) in [(1, 9), (2, 2), (3, 2), (4, 2)] {
      around.time.advance(seconds: seconds)
      try sink.receive(
        GatewaySighting(time: around.time.now, adapter: 0, beacon: "tag", rssi: -60))
      try sink.notice(.position(StreamPosition(sequence: number, time: around.time.now)))
      _ = try sink.tick()
    }
    try sink.finish()
    let trace = try TraceReader(path: folder.path("a.h5"))
    #expect(trace.stream == stream)
    #expect(trace.catalogue.positions.map(\.sequence) == [3])
    #expect(trace.count == 2)
    // The messages before the session are in no trace: a capture does not begin behind it.
    #expect(try streamPosition(ofTrace: folder.path("a.h5")) == nil)
  }

  @Test func `a refusal before the start records nothing`() throws {
    let sink = try sink()
    try sink.notice(.start)
    agree(failure: RSSIError(.failed, "full"))
    around.time.advance(seconds: 11)
    #expect(try !sink.tick())
    let result = sink.takeResult()
    #expect(sink.beginning == nil && result == nil)
    #expect(try folder.names() == [])
  }
}
