import LivePipelines
import PathLoss
import Testing

@testable import Reporting

@Suite struct BenchTextTests {
  @Test func `a bar shows how much of a pose is over, and levels where there are some`() {
    var levels = PoseLevels()
    for _ in 0..<12 { levels.add(-60) }
    let half = BenchProgress(
      levels: levels, beacons: 2, elapsed: .seconds(2), duration: .seconds(4))
    #expect(
      BenchText.liveProgress(half)
        == "  [######------] 2 s  12 packets, 6.0/s, mean -60.0, trimmed -60.00 dBm (best of 2)")
    let begun = BenchProgress(levels: nil, beacons: 0, elapsed: .zero, duration: .seconds(4))
    #expect(BenchText.liveProgress(begun) == "  [------------] 4 s  0 packets")
  }

  @Test func `seconds that are left are rounded up`() {
    #expect(
      [0, 1, 1_000_000_000, 1_000_000_001].map { BenchText.wholeSeconds(.nanoseconds($0)) }
        == [0, 1, 1, 2])
  }
}
