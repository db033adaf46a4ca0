import NumericalMethods
import TestSupport
import Testing

struct NumberingTests {
  @Test func `ranks are those of scipy, with ties`() throws {
    var generator = SeededGenerator(seed: 31)
    for count in [1, 2, 7, 60] {
      let values = (0..<count).map { _ in Double(Int.random(in: -9...9, using: &generator)) }
      let expected = try reference(
        "answer(*__import__('scipy.stats').stats.rankdata(rows[0]))", [values])
      #expect(meanRanks(values) == expected[0])
    }
    #expect(meanRanks([]) == [])
  }

  @Test func `names are numbered as they appear`() {
    #expect(numbered(["b", "a", "b", "c"]) == [0, 1, 0, 2])
  }
}
