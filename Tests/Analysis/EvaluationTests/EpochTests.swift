import Evaluation
import Geometry
import Positioning
import Testing

struct EpochTests {
  /// From x = 0 at time 100 to x = 50 at time 150: x is the time since the first mark.
  let path = TruthPath([
    .init(time: 100, position: Point(x: 0, y: 7)), .init(time: 150, position: Point(x: 50, y: 7)),
  ])

  @Test func `comes every step, from one step after the first mark up to the last`() {
    let epochs = path.epochs(every: 20)
    #expect(epochs.map(\.instant) == [120, 140])
    #expect(epochs.map(\.start) == [100, 120])
    #expect(epochs.map(\.end) == [120, 140])
    #expect(epochs.map(\.truth.x) == [20, 40])
    #expect(path.epochs(every: 25).map(\.instant) == [125, 150])
    #expect(path.epochs(every: 51).isEmpty)
    #expect(TruthPath([]).epochs(every: 1).isEmpty)
  }

  @Test func `windows do not reach back before the first mark`() {
    let epochs = path.epochs(every: 10, window: 25)
    #expect(epochs.map(\.instant) == [110, 120, 130, 140, 150])
    #expect(epochs.map(\.start) == [99, 99, 105, 115, 125])
  }

  @Test func `may be measured against the middle of the window`() {
    let epochs = path.epochs(every: 10, window: 30, truth: .windowMiddle)
    #expect(epochs.map(\.truth.x) == [5, 10, 15, 25, 35])
    #expect(epochs.map(\.instant) == [110, 120, 130, 140, 150])
  }

  @Test func `is the whole of a stay, both ends included`() {
    let second: Int64 = 1_000_000_000
    let path = TruthPath(
      [(10, 1), (30, 1), (40, 3), (60, 3)].map {
        .init(time: $0.0 * second, position: Point(x: $0.1, y: 2))
      })
    #expect(
      path.stayEpochs == [
        Epoch(
          instant: 30 * second, start: 10 * second - 1, end: 30 * second, truth: Point(x: 1, y: 2)),
        Epoch(
          instant: 60 * second, start: 40 * second - 1, end: 60 * second, truth: Point(x: 3, y: 2)),
      ])
  }
}
