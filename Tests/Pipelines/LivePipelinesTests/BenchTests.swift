import Capture
import PathLoss
import Sightings
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

@testable import LivePipelines

/// An operator who gives the answers of a test, and keeps what is shown.
private final class TestOperator: BenchOperator {
  var answers: [BenchAnswer] = []
  private(set) var prompts: [BenchPrompt] = []
  private(set) var completed: [CompletedPose] = []
  private(set) var notes: [String] = []
  private(set) var sums: [Double?] = []

  func show(_ event: BenchEvent) {
    switch event {
    case .asking(let prompt): prompts.append(prompt)
    case .completed(let poses): completed += poses
    case .note(let text): notes.append(text)
    case .summed(let beacon): sums.append(beacon.power?.mean)
    case .countingDown, .listening, .finished: break
    }
  }

  func forgetAnswers() {}

  func answer(within milliseconds: Int32) -> BenchAnswer {
    answers.isEmpty ? .none : answers.removeFirst()
  }
}

@Suite("A guided bench, with sightings and a time of the test")
struct BenchTests {
  private static let tag = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:1"
  private static let other = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:2"
  private let around = TestSurroundings()
  private let person = TestOperator()

  private func request(
    _ source: SourceName = .adapter(0), _ change: (inout BenchRequest) -> Void = { _ in }
  ) -> BenchRequest {
    var request = BenchRequest(SourceRequest(source))
    request.poses = 2
    request.duration = .seconds(12)
    request.countdown = .seconds(3)
    request.yes = true
    change(&request)
    return request
  }

  private func bench(
    _ request: BenchRequest, recorder: consuming Recorder? = nil, of stream: StreamIdentity? = nil
  ) throws -> Bench<TestOperator> {
    try request.check()
    let bench = try Bench(
      request, request.calibration.beacons(), recorder: recorder, around.context, by: person)
    if let stream { try bench.notice(.stream(stream)) }
    try bench.notice(.receiver(adapter: 0, name: "phone", radio: Radio()))
    try bench.notice(.start)
    return bench
  }

  /// Passes on one sighting per second at levels that fall by 1 dB each time, with a tick before each;
  /// the seconds that the bench took.
  private func run(
    _ bench: inout Bench<TestOperator>, seconds: Int = 100, beacons: [String] = [tag],
    each: (Int) -> Void = { _ in }
  ) throws -> Int {
    for second in 0..<seconds {
      each(second)
      guard try bench.tick() else { return second }
      for beacon in beacons {
        try bench.receive(
          GatewaySighting(
            time: around.time.now, adapter: 0, beacon: beacon, rssi: -40 - Float(second)))
      }
      around.time.advance(seconds: 1)
    }
    return seconds
  }

  @Test func `a pose has what is received from the end of its countdown to its own end`() throws {
    var bench = try bench(request())
    // 3 s to step back, 12 s of listening, twice.
    #expect(try run(&bench) == 30)
    try bench.finish()
    for pose in ["pose 1", "pose 2"] {
      #expect(bench.table.levels(name: pose, distance: 1)[Self.tag]?.samples == 12)
    }
    // Levels of seconds 3 to 14 and 18 to 29.
    #expect(person.completed.map(\.mean.trimmedMean) == [-48.5, -63.5])
    #expect(person.sums == [-48.5, -56])
    #expect(bench.completed == 2 && bench.remarks.isEmpty)
  }

  @Test
  func `a pose in which too little is received is tried once more, and then left out`() throws {
    var bench = try bench(
      request {
        $0.poses = 1
        $0.duration = .seconds(5)
      })
    #expect(try run(&bench) == 16)
    try bench.finish()
    #expect(person.prompts.map(\.attempt) == [1, 2])
    #expect(person.notes.count == 2 && person.notes[0].contains("5 packets in 5 s"))
    #expect(bench.completed == 0)
    #expect(
      bench.remarks == [
        "the pose \"pose 1\" at 1 m is left out: it has 5 packets in 5 s, and a mean takes 10",
        "1 of 1 pose are missing",
      ])
    #expect(bench.table.levels(name: "pose 1", distance: 1).isEmpty)
  }

  @Test func `each pose waits for the operator, who can end the bench`() throws {
    var bench = try bench(request { $0.yes = false })
    person.answers = [.none, .none, .ready]
    let asked = try run(&bench) { second in if second == 30 { person.answers = [.quit] } }
    #expect(asked == 30)
    try bench.finish()
    #expect(person.prompts.map(\.stop) == [0, 1])
    #expect(bench.completed == 1)
    #expect(bench.remarks == ["1 of 2 poses are missing"])
  }

  @Test func `a stop in a pose leaves the pose out`() throws {
    var bench = try bench(request())
    #expect(
      try run(&bench) { second in if second == 20 { around.control.askToStop() } } == 20)
    try bench.finish()
    #expect(bench.completed == 1)
    #expect(bench.remarks.last == "1 of 2 poses are missing")
  }

  @Test func `the poses of a replay follow its own time, however fast it is`() throws {
    let bench = try bench(request(.replay("walk.btsnoop")))
    for second in 0..<40 {
      // The machine's time stands still.
      guard try bench.tick() else { break }
      try bench.receive(
        GatewaySighting(
          time: Int64(second) * Timestamp.second, adapter: 0, beacon: Self.tag,
          rssi: -40 - Float(second)))
    }
    try bench.finish()
    #expect(person.completed.map(\.mean.samples) == [12, 12])
    #expect(person.completed.map(\.mean.trimmedMean) == [-48.5, -63.5])
  }

  @Test func `several beacons end the bench unless all are meant`() throws {
    var one = try bench(request())
    #expect {
      _ = try run(&one, beacons: [Self.tag, Self.other])
    } throws: { "\($0)".contains("2 beacons were heard") }
    var all = try bench(request { $0.calibration.allBeacons = true })
    #expect(try run(&all, beacons: [Self.tag, Self.other]) > 0)
    #expect(all.completed == 2 && person.sums.isEmpty)
  }

  @Test func `sightings are recorded with the distance and the name of the pose`() throws {
    let folder = try TemporaryDirectory()
    var recording = CaptureRequest(SourceRequest(.adapter(0)))
    recording.output = folder.path("bench.h5")
    recording.packs = false
    let stream = StreamIdentity(broker: "b:4222", name: "SITE", partition: "", created: 1)
    var bench = try bench(
      request {
        $0.poses = nil
        $0.calibration.pose = ["upright"]
        $0.calibration.distance = [1, 2.5]
      }, recorder: Recorder(recording, stage: "calibrate", around.context), of: stream)
    #expect(try run(&bench, seconds: 20) == 20)
    try bench.notice(.position(StreamPosition(sequence: 7, time: around.time.now)))
    #expect(try run(&bench) == 10)
    try bench.finish()
    let trace = try TraceReader(path: folder.path("bench.h5"))
    #expect(trace.stream == stream)
    #expect(trace.catalogue.positions.map(\.sequence) == [7])
    let stays = trace.catalogue.stays
    #expect(stays.map(\.pose) == ["upright", "upright"])
    #expect(stays.map(\.distance) == [1, 2.5])
    #expect(stays.map { ($0.end - $0.start) / Timestamp.second } == [11, 11])
  }

  private static let wrong: [(words: String, change: @Sendable (inout BenchRequest) -> Void)] = [
    ("`distance` contains", { $0.calibration.distance = [1, 1] }),
    ("do not go together", { $0.calibration.pose = ["a"] }),
    ("1 to 1000", { $0.poses = 1001 }),
    ("at most 1d", { $0.duration = .seconds(86_401) }),
    ("from 0s to 1d", { $0.countdown = .seconds(-1) }),
    ("neither a beacon", { $0.calibration.beacon = ["tag"] }),
    ("`precision`", { $0.calibration.precision = .infinity }),
  ]

  @Test(arguments: wrong.indices)
  func `a request that cannot be met is refused`(index: Int) {
    #expect {
      try request(.adapter(0), Self.wrong[index].change).check()
    } throws: {
      ($0 as? RSSIError)?.kind == .usage && "\($0)".contains(Self.wrong[index].words)
    }
  }
}
