import Advertising
import Capture
import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TracePipelines

@testable import LivePipelines

@Suite("The metrics of a recorder") struct RecorderMetricsTests {
  private let around = TestSurroundings()
  private let board = MetricsBoard()
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func recorder(_ source: SourceName = .adapter(0)) throws -> Recorder {
    var request = CaptureRequest(SourceRequest(source))
    (request.output, request.packs) = (folder.path("trace.h5"), false)
    request.selection.minimumRSSI = -80
    var context = around.context
    context.board = board
    var recorder = try Recorder(request, stage: "capture", context)
    try recorder.notice(.receiver(adapter: 0, name: "hci0", radio: Radio()))
    try recorder.notice(.start)
    return recorder
  }

  private func receive(
    _ recorder: inout Recorder, after milliseconds: Int64, rssi: Float = -60
  ) throws {
    around.time.advance(milliseconds * 1_000_000)
    let payload: [UInt8] = [2, 1, 6]
    try recorder.receive(
      AdvertisingReport(around.time.now, rssi: rssi), payload: payload.span)
    _ = try recorder.tick()
  }

  @Test func `counts what waits and how long it waited`() throws {
    var recorder = try recorder()
    for _ in 0..<9 { try receive(&recorder, after: 100) }
    var metrics = board.current
    #expect(metrics.sightings == 9 && metrics.waiting == 9 && metrics.latency?.count == 0)
    try receive(&recorder, after: 100)
    // The tick after a second wrote them: the first waited for 0.9 s, the last for nothing.
    metrics = board.current
    #expect(metrics.sightings == 10 && metrics.waiting == 0)
    #expect(metrics.latency?.count == 10 && metrics.latency?.sum == 4_500_000_000)
    #expect(metrics.flushed == around.time.monotonic)
    try recorder.finish()
  }

  @Test func `counts losses and refusals by reason`() throws {
    var recorder = try recorder()
    try recorder.notice(.loss(Loss(adapter: 0, reason: .overflow, start: 0, end: 1, dropped: 7)))
    try recorder.notice(.loss(Loss(adapter: 0, reason: .overflow, start: 2, end: 3)))
    try recorder.notice(.refusal("monitor-packet", count: 3))
    try receive(&recorder, after: 1000, rssi: -90)
    try receive(&recorder, after: 1000)
    let metrics = board.current
    #expect(metrics.sightings == 1 && metrics.reports == 2)
    #expect(metrics.losses?[.overflow]?.gaps == 2 && metrics.losses?[.overflow]?.events == 7)
    #expect(metrics.losses?[.silence] == nil)
    #expect(metrics.rejected == ["monitor-packet": 3])
    try recorder.finish()
  }

  @Test func `keeps counting in the next file`() throws {
    var recorder = try recorder()
    try receive(&recorder, after: 400)
    around.control.askForNewFile()
    try receive(&recorder, after: 400)
    try receive(&recorder, after: 400)
    try recorder.finish()
    let metrics = board.current
    #expect(metrics.sightings == 3 && metrics.waiting == 0 && metrics.latency?.count == 3)
  }

  /// The times of a recording are not of this machine: reception is when it is played.
  @Test func `counts a replay from when it is played`() throws {
    let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    var recorder = try recorder(.replay(walk))
    let payload: [UInt8] = [2, 1, 6]
    for index in 0..<10 {
      around.time.advance(100_000_000)
      try recorder.receive(AdvertisingReport(Int64(index)), payload: payload.span)
    }
    _ = try recorder.tick()
    try recorder.finish()
    #expect(board.current.latency?.count == 10)
    // The tick after a second wrote them: the first waited for 0.9 s, the last for nothing.
    #expect(board.current.latency?.sum == 4_500_000_000)
  }
}
