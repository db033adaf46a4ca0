import Advertising
import Capture
import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@testable import LivePipelines

@Suite("A recorder, fed with reports and a time of the test")
struct RecorderTests {
  private let around = TestSurroundings()
  private let folder: TemporaryDirectory
  private let start: Int64

  init() throws {
    folder = try TemporaryDirectory()
    start = around.time.now
  }

  private func request(_ change: (inout CaptureRequest) -> Void = { _ in }) -> CaptureRequest {
    var request = CaptureRequest(SourceRequest(.adapter(0)))
    request.output = folder.path("trace.h5")
    request.packs = false
    change(&request)
    return request
  }

  private func recorder(_ request: CaptureRequest) throws -> Recorder {
    var recorder = try Recorder(request, stage: "capture", around.context)
    try recorder.notice(.receiver(adapter: 0, name: "hci0", radio: Radio()))
    try recorder.notice(.start)
    return recorder
  }

  /// Passes on reports one second apart, with a tick after each; the index of the one after which
  /// the recorder wants no more.
  private func feed(
    _ recorder: inout Recorder, _ count: Int, each: (Int) -> Void = { _ in }
  ) throws -> Int? {
    let payload: [UInt8] = [2, 1, 6]
    for index in 0..<count {
      around.time.advance(seconds: 1)
      each(index)
      try recorder.receive(
        AdvertisingReport(around.time.now, address: UInt64(index % 3), rssi: -50 - Float(index)),
        payload: payload.span)
      if try !recorder.tick() { return index }
    }
    return nil
  }

  /// Seconds after the start, from a trace.
  private func seconds(_ path: String) throws -> [Int64] {
    var times: [Int64] = []
    try TraceReader(path: path).forEachBlock([.time]) { times += $0.time }
    return times.map { ($0 - start) / Timestamp.second }
  }

  @Test func `marked places have their floors`() throws {
    var recorder = try recorder(
      request { $0.labels.floors = [Floor(name: "F1"), Floor(name: "F2")] })
    for (x, floor) in [(1.0, "F1"), (2, "F2"), (3, nil)] {
      #expect(try feed(&recorder, 1) == nil)
      try recorder.mark(
        TruthMark(node: "hci0", role: .receiver, at: .position(x: x, y: 0, floor: floor)),
        at: around.time.now)
    }
    try recorder.finish()
    let catalogue = try TraceReader(path: folder.path("trace.h5")).catalogue
    #expect(catalogue.truth.map(\.x) == [1, 2, 3])
    #expect(catalogue.truth.map { catalogue.floorName($0.floor) } == ["F1", "F2", nil])
  }

  @Test func `a room is known from the first report on, and others by marks`() throws {
    var recorder = try recorder(request { $0.labels.rooms = [("", "kitchen"), ("tag", "hall")] })
    #expect(try feed(&recorder, 3) == nil)
    for (node, role, room) in [("hci0", NodeRole.receiver, "hall"), ("tag", .beacon, "")] {
      try recorder.mark(TruthMark(node: node, role: role, at: .room(room)), at: around.time.now)
    }
    #expect(try feed(&recorder, 2) == nil)
    try recorder.finish()
    let catalogue = try TraceReader(path: folder.path("trace.h5")).catalogue
    let tag = try #require(catalogue.beacons.firstIndex { $0.id == "tag" })
    func rooms(_ role: NodeRole, _ node: Int) -> [String] {
      catalogue.rooms.filter { $0.role == role && $0.node == UInt32(node) }
        .sorted { $0.time < $1.time }
        .map { "\(($0.time - start) / Timestamp.second) \($0.room)" }
    }
    #expect(rooms(.receiver, 0) == ["1 kitchen", "3 hall"])
    #expect(rooms(.beacon, tag) == ["1 hall", "3 "])
  }

  @Test func `a file covers the period, and no report is lost or doubled between two`() throws {
    var recorder = try recorder(
      request { $0.rotate = FileRotation(period: .seconds(10)) })
    #expect(try feed(&recorder, 25) == nil)
    try recorder.finish()
    let result = recorder.packedResult()
    #expect(
      result.files.map { $0.split(separator: "/").last }
        == [
          "trace-20260101T000000Z.h5", "trace-20260101T000010Z.h5", "trace-20260101T000020Z.h5",
        ])
    // The tick after a report rotates: the report at 10 s ends the first file.
    #expect(
      try result.files.map(seconds) == [Array(1...10), Array(11...20), Array(21...25)])
    #expect(result.sightings == 25)
    #expect(result.onlyFile == nil)
  }

  @Test func `a user gets a new file and the end`() throws {
    var recorder = try recorder(request())
    let end = try feed(&recorder, 9) { index in
      if index == 3 { around.control.askForNewFile() }
      if index == 6 { around.control.askToStop() }
    }
    #expect(end == 6)
    try recorder.finish()
    let files = recorder.packedResult().files
    #expect(try files.map(seconds) == [[1, 2, 3, 4], [5, 6, 7]])
    // The first file has the name that was requested; it is there, so the next one is stamped.
    #expect(files.map { $0.hasSuffix("/trace.h5") } == [true, false])
  }

  @Test func `keeps what is selected up to the count`() throws {
    var recorder = try recorder(
      request {
        $0.selection.addresses = [1]
        $0.count = 2
      })
    #expect(try feed(&recorder, 9) == 4)
    try recorder.finish()
    let result = recorder.packedResult()
    #expect((result.sightings, result.leftOut) == (2, 3))
    #expect(try seconds(folder.path("trace.h5")) == [2, 5])
    #expect(result.onlyFile == folder.path("trace.h5"))
  }

  @Test func `ends after the duration by the clock that is never set`() throws {
    var recorder = try recorder(request { $0.duration = .seconds(4) })
    #expect(
      try feed(&recorder, 9) { if $0 == 1 { around.time.now += 3600 * Timestamp.second } } == 3)
    try recorder.finish()
    // The clock was set by an hour meanwhile, which the trace has as a gap with both clocks.
    let trace = try TraceReader(path: folder.path("trace.h5"))
    #expect(trace.catalogue.gaps.map(\.reason) == [.clockStep])
    let step = trace.catalogue.clock.map { $0.time - $0.monotonic }
    #expect(Set(step).count == 2)
    #expect(around.log.notes.count { $0.contains("by 3600.000 s") } == 1)
  }

  @Test func `lines are flushed at each tick with the place`() throws {
    var recorder = try recorder(
      request {
        $0.output = nil
        $0.labels.at = RecordLabels.Place(x: 1, y: -2)
      })
    #expect(try feed(&recorder, 3) == nil)
    #expect(around.lines.flushed.last == 3)
    #expect(around.lines.lines.allSatisfy { $0.contains(#""x_m":1,"y_m":-2"#) })
    // A stream has no next file.
    around.control.askForNewFile()
    #expect(try recorder.tick() == false)
    try recorder.finish()
    #expect(recorder.packedResult().files.isEmpty)
  }

  @Test func `shows what it has once a flush`() throws {
    var recorder = try recorder(request { $0.flush = .seconds(2) })
    _ = try feed(&recorder, 4)
    #expect(around.control.statuses.map(\.beacons) == [2, 3])
    #expect(around.control.statuses.map(\.reportsPerSecond) == [1, 1])
  }

  @Test func `a source that never begins leaves the old file`() throws {
    let old = try folder.write("old", to: "trace.h5")
    var recorder = try Recorder(request(), stage: "capture", around.context)
    #expect(try recorder.tick())
    let error = #expect(throws: RSSIError.self) { try recorder.finish() }
    #expect(error?.kind == .unavailable)
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
  }

  @Test func `a deleted trace is saved and followed by a new one`() throws {
    var recorder = try recorder(request())
    _ = try feed(&recorder, 6) { index in
      if index == 2 { try? FileManager.default.removeItem(atPath: folder.path("trace.h5")) }
    }
    try recorder.finish()
    let files = recorder.packedResult().files
    #expect(try files.map(seconds) == [[1, 2, 3], [4, 5, 6]])
    #expect(around.log.notes.contains { $0.hasSuffix("saved the recording as \(files[0])") })
  }

  private static let unusable:
    [(property: String, change: @Sendable (inout CaptureRequest) -> Void)] =
      [
        ("count", { $0.count = 0 }),
        ("rotate", { $0.rotate = FileRotation(bytes: 1000) }),
        ("pose", { $0.labels.pose = String(repeating: "x", count: 65) }),
        ("trace", { $0.trace = "a\nb" }),
        ("receiver", { $0.receiver = "" }),
        (
          "at",
          { ($0.source.name, $0.labels.at) = (SourceName(.mqtt, "broker/#"), .init(x: 0, y: 0)) }
        ),
        ("beaconAt", { ($0.output, $0.labels.beaconAt) = (nil, [("x", .init(x: 0, y: 0))]) }),
        ("rotate", { ($0.output, $0.rotate) = (nil, FileRotation(period: .nanoseconds(1))) }),
      ]

  @Test(arguments: unusable.indices)
  func `refuses what cannot be met`(_ index: Int) {
    let (property, change) = Self.unusable[index]
    let error = #expect(throws: RSSIError.self) { try request(change).check() }
    #expect(error?.kind == .usage)
    #expect(error?.problem.hasPrefix("`\(property)`") == true)
  }
}

@Suite("Names of sources") struct SourceNameTests {
  @Test(arguments: [
    "hci", "hci3", "user:1", "monitor", "h4:tcp:host:9000", "mqtt://broker/x", "mqtts://broker/x",
    "replay:walk.btsnoop",
  ])
  func `are written as they are read`(_ text: String) throws {
    #expect(try SourceName(text).description == text)
  }

  @Test(arguments: ["", "bluetooth", "hci-1", "user:", "user:x", "h4:", "replay:", "http://x"])
  func `others are refused`(_ text: String) {
    #expect(throws: RSSIError.self) { try SourceName(text) }
  }
}
