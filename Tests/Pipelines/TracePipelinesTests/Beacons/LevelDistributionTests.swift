import TestSupport
import Testing

@testable import TracePipelines

@Suite("Levels of a device")
struct LevelDistributionTests {
  private func figures(_ levels: [Float]) throws -> LevelFigures {
    var distribution = LevelDistribution()
    for level in levels { distribution.add(level) }
    return try #require(distribution.figures)
  }

  /// Compares with numpy.
  private func check(_ sets: [[Float]], within tolerance: Double) throws {
    let expected = try reference(
      """
      for x in rows:
          answer(x.min(), np.median(x), x.mean(), x.max(), x.std(ddof=1))
      """, sets.map { $0.map(Double.init) })
    try #require(expected.count == sets.count)
    for (levels, expected) in zip(sets, expected) {
      let found = try figures(levels)
      let values = [found.min, found.median, found.mean, found.max, try #require(found.deviation)]
      for (value, reference) in zip(values, expected) {
        #expect(abs(value - reference) <= tolerance, "\(value) \(reference)")
      }
    }
  }

  @Test func `whole levels agree with numpy`() throws {
    var random = SeededGenerator(seed: 3)
    let sets = (2..<60).map { count in
      (0..<count * 7).map { _ in Float(Int.random(in: -127...20, using: &random)) }
    }
    try check(sets, within: 1e-10)
  }

  @Test func `levels of any value agree with numpy while few, and to 0.005 dB while many`() throws {
    var random = SeededGenerator(seed: 4)
    func levels(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float.random(in: -127...20, using: &random) }
    }
    // Figures are of the levels as written in decimal, a millionth off the nearest Float.
    try check([levels(2), levels(101), levels(4096)], within: 1e-5)
    try check([levels(4097), levels(30_000)], within: 0.005 + 1e-5)
  }

  @Test func `one level has no deviation`() throws {
    #expect(
      try figures([-72.31])
        == LevelFigures(min: -72.31, median: -72.31, mean: Double(Float(-72.31)), max: -72.31))
    #expect(LevelDistribution().figures == nil)
  }
}
