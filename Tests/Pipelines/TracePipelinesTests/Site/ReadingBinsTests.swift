import Support
import TestSupport
import Testing

@testable import TracePipelines

@Suite("Bins of readings") struct ReadingBinsTests {
  private static let day: Int64 = 86_400_000_000_000

  /// The ends of all bins, in numbers that do not overflow.
  private func ends(_ start: Int64, _ end: Int64, step: Int64) -> [Int64] {
    let count = Int64((Double(step) / 5e8).rounded(.up))
    return (1...count).map { number in
      Int64(Int128(start) + Int128(end - start) * Int128(number) / Int128(count))
    }
  }

  @Test(
    arguments: [10_000_000, 500_000_000, 500_000_001, 1_300_000_000, day * 19 / 24, day] as [Int64])
  func `end where exact arithmetic has them, whatever the step`(step: Int64) {
    for start in [0, -step / 3, 1_704_067_200_123_456_789, -9_000_000_000_000_000_000] as [Int64] {
      for length in [step, step - 7, step / 2 + 1, 1] {
        let bins = ReadingBins(from: start, to: start + length, step: step)
        let expected = ends(start, start + length, step: step)
        #expect(bins.bounds.map(\.end) == expected)
        #expect(bins.bounds.map(\.start) == [start] + expected.dropLast())
      }
    }
  }

  @Test func `each time is in the first bin that does not end before it`() {
    var numbers = SeededGenerator(seed: 37)
    for _ in 0..<2000 {
      let step = Int64.random(in: 1...5_000_000_000, using: &numbers)
      let length = Int64.random(in: 1...step, using: &numbers)
      let start = Int64.random(
        in: -9_000_000_000_000_000_000...9_000_000_000_000_000_000, using: &numbers)
      let bins = ReadingBins(from: start, to: start + length, step: step)
      let expected = ends(start, start + length, step: step)
      for time in expected + [start, start + 1, start + length, start + length + 1, start - 1]
        + (0..<5).map({ _ in Int64.random(in: start...start + length, using: &numbers) })
      {
        #expect(
          bins.number(of: time) == (time > start ? expected.firstIndex { time <= $0 } : nil))
      }
    }
  }
}
