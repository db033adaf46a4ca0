import Evaluation
import Geometry
import Positioning
import TestSupport
import Testing

struct EpochAccumulatorTests {
  private struct Heard { var time: Int64, anchor: Int, rssi: Double }

  private func epoch(_ start: Int64, _ end: Int64) -> Epoch {
    Epoch(instant: end, start: start, end: end, truth: Point(x: 0, y: 0))
  }

  @Test func `a window has its end but not its start`() {
    var accumulator = EpochAccumulator(epochs: [epoch(0, 10), epoch(10, 20)], anchorCount: 1)
    for time in [Int64(0), 1, 10, 11, 20, 21] {
      accumulator.add(time: time, anchor: 0, rssi: Double(time))
    }
    #expect(accumulator.levels(ofEpoch: 0).map(\.rssi) == [5.5])
    #expect(accumulator.levels(ofEpoch: 0).map(\.sightings) == [2])
    #expect(accumulator.levels(ofEpoch: 1).map(\.rssi) == [15.5])
  }

  @Test func `anchors that were not heard, and levels that are not numbers, are left out`() {
    var accumulator = EpochAccumulator(epochs: [epoch(0, 10)], anchorCount: 3)
    accumulator.add(time: 5, anchor: 0, rssi: .nan)
    accumulator.add(time: 5, anchor: 2, rssi: -70)
    #expect(accumulator.levels(ofEpoch: 0).map(\.anchor) == [2])
    #expect(EpochAccumulator(epochs: [], anchorCount: 0).epochs.isEmpty)
  }

  @Test(arguments: [3, 10, 35])
  func `agrees with a search of every window, in any order of sightings`(window: Int64) {
    var generator = SeededGenerator(seed: UInt64(window))
    let path = TruthPath([
      .init(time: 0, position: Point(x: 0, y: 0)), .init(time: 200, position: Point(x: 9, y: 0)),
    ])
    // One epoch of another length among them, as stays would have.
    let epochs = path.epochs(every: 10, window: window) + [epoch(20, 150)]
    let heard = (0..<600).map { _ in
      Heard(
        time: Int64.random(in: -20..<230, using: &generator),
        anchor: Int.random(in: 0..<4, using: &generator),
        rssi: Double.random(in: -90 ..< -40, using: &generator))
    }
    for rule in [EpochAccumulator.LevelRule.mean, .last] {
      var accumulator = EpochAccumulator(
        epochs: epochs.shuffled(using: &generator), anchorCount: 4, rule: rule)
      for one in heard { accumulator.add(time: one.time, anchor: one.anchor, rssi: one.rssi) }
      #expect(accumulator.epochs.count == epochs.count)
      for (index, epoch) in accumulator.epochs.enumerated() {
        let levels = accumulator.levels(ofEpoch: index)
        for anchor in 0..<4 {
          let inside = heard.filter {
            $0.anchor == anchor && $0.time > epoch.start && $0.time <= epoch.end
          }
          let level = levels.first { $0.anchor == anchor }
          #expect((level?.sightings ?? 0) == inside.count)
          guard let level else { continue }
          switch rule {
          case .mean:
            let mean = inside.map(\.rssi).reduce(0, +) / Double(inside.count)
            #expect(isClose(level.rssi, mean))
          case .last:
            let latest = inside.map(\.time).max()
            #expect(level.rssi == inside.last { $0.time == latest }?.rssi)
          }
        }
      }
    }
  }
}
