import Evaluation
import Positioning
import Sightings
import TestSupport
import Testing

@testable import TracePipelines

/// An epoch clock whose news are kept.
private struct KeptClock {
  struct Entry: Equatable {
    var track: Int
    var node: String
    /// Nil for the end of a track.
    var epoch: HeardEpoch?
    var time: Int64
  }

  private(set) var news: [Entry] = []
  private(set) var clock: EpochClock

  init(_ rule: EpochRule) { clock = EpochClock(rule) }

  private mutating func keep(
    _ step: (inout EpochClock, EpochClock.Report) throws -> Void
  ) throws {
    var new: [Entry] = []
    try step(&clock) { track, node, news in
      switch news {
      case .epoch(let epoch):
        new.append(Entry(track: track, node: node.id, epoch: epoch, time: epoch.instant))
      case .end(let time): new.append(Entry(track: track, node: node.id, time: time))
      }
    }
    news += new
  }

  mutating func receive(
    _ time: Double, _ node: MovingNode = movingNode("phone"), anchor: Int = 0, level: Double = -60
  ) throws {
    try keep { clock, report in
      try clock.receive(
        seconds(time), trace: node.trace,
        NodeSighting(node: node, anchor: anchor, level: level, raw: level), report: report)
    }
  }

  mutating func finish() throws { try keep { clock, report in try clock.finish(report: report) } }

  mutating func wait(_ time: Double) throws {
    try keep { clock, report in try clock.wait(seconds(time), report: report) }
  }

  /// The instants of epochs, in seconds.
  var instants: [Double] { news.filter { $0.epoch != nil }.map { Double($0.time) / 1e9 } }
}

@Suite("Epochs of a clock")
struct EpochClockTests {
  @Test func `a window includes its end and not its start`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1)))
    for (anchor, time) in [10, 10.000_000_001, 11, 11.000_000_001].enumerated() {
      try clock.receive(time, anchor: anchor)
    }
    try clock.finish()
    #expect(clock.instants == [10, 11, 12])
    #expect(clock.news.compactMap(\.epoch).map { $0.levels.map(\.anchor) } == [[0], [1, 2], [3]])
  }

  @Test func `an epoch waits for late sightings, and no longer`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1), reorder: seconds(0.5)))
    try clock.receive(10)
    try clock.receive(10.4)
    #expect(clock.news.isEmpty)
    try clock.receive(9.9)
    try clock.receive(10.5)
    try clock.receive(10)
    #expect(clock.news.isEmpty && clock.clock.late == 0)
    try clock.receive(10.500_000_001)
    #expect(clock.instants == [10])
    #expect(clock.news[0].epoch?.levels.map(\.packets) == [3])
    try clock.receive(10)
    #expect(clock.clock.late == 1)
  }

  @Test func `without lateness, a sighting at an instant belongs to it`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1)))
    for time in [10.0, 11, 12] { try clock.receive(time) }
    try clock.finish()
    #expect(clock.instants == [10, 11, 12] && clock.clock.late == 0)
    #expect(clock.news.compactMap(\.epoch).allSatisfy { $0.levels.map(\.packets) == [1] })
  }

  @Test func `a node that is silent for too long is another track when it is heard again`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1), silence: seconds(2)))
    try clock.receive(10)
    try clock.receive(20)
    try clock.finish()
    #expect(clock.news.map(\.time) == [10, 11, 12, 13, 20].map(seconds))
    #expect(clock.news.map { $0.epoch == nil } == [false, false, false, true, false])
    #expect(clock.news.map(\.track) == [0, 0, 0, 0, 1])
  }

  @Test func `epochs of one instant come in the order of the nodes' names`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1)))
    for name in ["c", "a", "b"] { try clock.receive(10, movingNode(name)) }
    try clock.finish()
    #expect(clock.news.map(\.node) == ["a", "b", "c"])
  }

  @Test func `a clock that is set back begins again`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1), silence: seconds(5)))
    try clock.receive(1000)
    try clock.receive(900)
    try clock.finish()
    #expect(clock.news.map(\.time) == [1000, 1000, 900].map(seconds))
    #expect(clock.news.map { $0.epoch == nil } == [false, true, false])
    #expect(clock.clock.late == 0)
  }

  @Test func `waiting ends an epoch without a sighting`() throws {
    var clock = KeptClock(EpochRule(step: seconds(1), reorder: seconds(0.1)))
    try clock.receive(10.25)
    #expect(clock.clock.untilDue == seconds(0.85))
    try clock.wait(0.8)
    #expect(clock.news.isEmpty)
    try clock.wait(0.85)
    #expect(clock.instants == [11])
  }

  @Test(arguments: 0..<20)
  func `any order of arrival within the lateness gives the same epochs`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let rule = EpochRule(step: seconds(1), window: seconds(2.5), reorder: seconds(0.4))
    let nodes = [movingNode("a"), movingNode("b"), movingNode("c", trace: 1)]
    let sightings = (0..<300).map { _ in
      (
        time: Double.random(in: 100...110, using: &random),
        node: nodes.randomElement(using: &random)!,
        anchor: Int.random(in: 0..<3, using: &random),
        level: -Double(Int.random(in: 40...90, using: &random))
      )
    }
    func news(_ sightings: [(time: Double, node: MovingNode, anchor: Int, level: Double)]) throws
      -> [KeptClock.Entry]
    {
      var clock = KeptClock(rule)
      for one in sightings {
        try clock.receive(one.time, one.node, anchor: one.anchor, level: one.level)
      }
      try clock.finish()
      #expect(clock.clock.late == 0)
      // Levels are means, which the order of additions rounds; traces have separate clocks.
      return clock.news.map { entry in
        var entry = entry
        entry.track = 0
        for index in entry.epoch?.levels.indices ?? 0..<0 {
          let level = (entry.epoch?.levels[index].rssi ?? 0) * 1e6
          entry.epoch?.levels[index].rssi = level.rounded()
        }
        entry.epoch?.readings = []
        return entry
      }.sorted {
        ($0.node == "c" ? 1 : 0, $0.time, $0.node) < ($1.node == "c" ? 1 : 0, $1.time, $1.node)
      }
    }
    let ordered = sightings.sorted { $0.time < $1.time }
    let delayed = ordered.map { ($0.time + .random(in: 0...0.39, using: &random), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    #expect(try news(delayed) == news(ordered))
  }
}
