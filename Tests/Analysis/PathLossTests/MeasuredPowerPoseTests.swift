import PathLoss
import TestSupport
import Testing

@Suite("The level of a pose")
struct MeasuredPowerPoseTests {
  /// Levels in whole decibels about a mean, some of them far off, as reflections make them.
  private func packets(_ count: Int, _ generator: inout SeededGenerator) -> [Double] {
    (0..<count).map { _ in
      let isOutlier = Int.random(in: 0..<12, using: &generator) == 0
      return (-59 + (isOutlier ? 15 : 3) * generator.gaussian()).rounded()
    }
  }

  private func levels(_ packets: [Double]) -> PoseLevels {
    var levels = PoseLevels()
    for level in packets { levels.add(Float(level)) }
    return levels
  }

  @Test func `agrees with scipy's trimmed mean, whatever the number of packets`() throws {
    var generator = SeededGenerator(seed: 11)
    let poses = (Array(1...45) + [99, 100, 101, 1000]).map { packets($0, &generator) }
    let expected = try reference(
      """
      from scipy.stats import trim_mean
      for z in rows: answer(trim_mean(z, 0.1), z.std(ddof=1) if len(z) > 1 else -1, z.mean())
      """, poses)
    try #require(expected.count == poses.count)
    for (pose, numbers) in zip(poses, expected) {
      let mean = try #require(PoseMean(levels(pose)))
      #expect(mean.samples == pose.count)
      #expect(isClose(mean.trimmedMean, numbers[0]), "\(pose.count) packets")
      #expect(isClose(mean.deviation ?? -1, numbers[1], relative: 1e-9), "\(pose.count) packets")
      #expect(isClose(mean.mean, numbers[2]), "\(pose.count) packets")
    }
  }

  @Test func `has no value without packets, and no deviation of one`() {
    #expect(PoseMean(PoseLevels()) == nil)
    #expect(PoseLevels().mean == nil && PoseLevels().deviation == nil)
    #expect(PoseMean(levels([-60]))?.deviation == nil)
  }

  @Test func `is not moved by a tenth of packets at either end, however wrong`() {
    let pose = Array(repeating: -60.0, count: 16) + [-100, -99] + [-1, -2]
    #expect(PoseMean(levels(pose))?.trimmedMean == -60)
  }

  @Test func `balances channels that were heard unequally often`() throws {
    var levels = PoseLevels()
    for _ in 0..<90 { levels.add(-56, channel: 37) }
    for _ in 0..<6 { levels.add(-59, channel: 38) }
    for _ in 0..<4 { levels.add(-65, channel: 39) }
    let mean = try #require(PoseMean(levels))
    #expect(mean.trimmedMean == -56)
    #expect(mean.channels.map(\.channel) == [37, 38, 39])
    #expect(mean.channels.map(\.samples) == [90, 6, 4])
    #expect(mean.channels.map(\.trimmedMean) == [-56, -59, -65])
    #expect(mean.channelBalanced == -60)
  }

  @Test func `cannot be balanced where a channel is missing or none is known`() {
    var levels = PoseLevels()
    levels.add(-56, channel: 37)
    levels.add(-59, channel: 38)
    levels.add(-60)
    #expect(PoseMean(levels)?.channelBalanced == nil)
    #expect(PoseMean(levels)?.channels.map(\.channel) == [37, 38])
    var unknown = PoseLevels()
    unknown.add(-60)
    #expect(PoseMean(unknown)?.channels == [])
  }
}
