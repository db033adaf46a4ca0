import Evaluation
import Positioning
import Testing

@testable import TracePipelines

@Suite("Epochs of a node")
struct NodeEpochsTests {
  @Test func `trackers hear each level once, in bins of half a second`() {
    var epochs = NodeEpochs(EpochRule(step: seconds(1), window: seconds(3)))
    for (time, level) in [(9.5, -50.0), (9.500_000_001, -60), (9.9, -64), (10, -70)] {
      epochs.hear(time: seconds(time), anchor: 2, level: level, raw: level)
    }
    epochs.hear(time: seconds(9.7), anchor: 1, level: -80, raw: -80)
    let epoch = epochs.close()
    #expect(epoch.instant == seconds(10) && epoch.start == seconds(7))
    #expect(epoch.readings.map(\.anchor) == [2, 1, 2])
    #expect(epoch.readings.map(\.packets) == [1, 1, 3])
    #expect(abs(epoch.readings[2].rssi + (60 + 64 + 70) / 3) < 1e-9)
    #expect(epochs.close().readings.isEmpty)
  }

  @Test func `a window longer than the step keeps what it shares with the next one`() {
    var epochs = NodeEpochs(EpochRule(step: seconds(1), window: seconds(2)))
    epochs.hear(time: seconds(10), anchor: 0, level: -60, raw: -60)
    #expect((0..<3).map { _ in epochs.close().levels.count } == [1, 1, 0])
  }

  @Test func `a filter's level is its latest, and levels that no link has do not count`() {
    var epochs = NodeEpochs(EpochRule(step: seconds(1)), levels: .last)
    epochs.hear(time: seconds(9.4), anchor: 0, level: -60, raw: -50)
    epochs.hear(time: seconds(9.8), anchor: 0, level: -62, raw: .nan)
    epochs.hear(time: seconds(9.9), anchor: 1, level: .nan, raw: -55)
    let epoch = epochs.close()
    #expect(epoch.levels.map(\.anchor) == [0] && epoch.levels[0].rssi == -62)
    #expect(epoch.readings.map(\.rssi) == [-50, -55])
  }

  @Test func `with truth, instants count from its first position`() {
    let origin = seconds(100.3)
    var epochs = NodeEpochs(
      EpochRule(step: seconds(2), window: seconds(3), isOfTruth: true),
      span: (origin, origin + seconds(4)))
    for time in [origin - 1, origin, origin + seconds(2), origin + seconds(4) + 1] {
      epochs.hear(time: time, anchor: 0, level: -60, raw: -60)
    }
    let first = epochs.close()
    #expect(first.instant == origin + seconds(2) && first.start == origin - 1)
    #expect(first.levels.map(\.packets) == [2])
    #expect(!epochs.isDone)
    let second = epochs.close()
    #expect(second.start == origin + seconds(1) && second.levels.map(\.packets) == [1])
    #expect(epochs.isDone)
  }

  @Test func `what is heard after the end of a track begins another one`() {
    var epochs = NodeEpochs(EpochRule(step: seconds(1), silence: seconds(3)))
    epochs.hear(time: seconds(10), anchor: 0, level: -60, raw: -60)
    for _ in 0..<4 { _ = epochs.close() }
    #expect(epochs.next == seconds(14) && epochs.isLost)
    #expect(epochs.successor() == nil)
    epochs.hear(time: seconds(20.5), anchor: 0, level: -60, raw: -60)
    #expect(epochs.isLost)
    #expect(epochs.successor()?.next == seconds(21))
  }
}
