import NumericalMethods
import TestSupport
import Testing

struct WeightedFitTests {
  @Test func `agrees with numpy, also when it is used again with other weights`() throws {
    var generator = SeededGenerator(seed: 5)
    let design = (0..<40).flatMap { _ -> [Double] in
      [1, generator.gaussian(), 3 * generator.gaussian()]
    }
    let targets = (0..<40).map { _ in -60 + generator.gaussian() }
    let fit = WeightedFit(rows: 40, columns: 3)
    for _ in 0..<5 {
      let weights = (0..<40).map { _ in Double.random(in: 0...4, using: &generator) }
      let script = """
        X, w, y = rows[0].reshape(-1, 3), np.sqrt(rows[1]), rows[2]
        answer(*np.linalg.lstsq(X * w[:, None], y * w, rcond=None)[0])
        """
      let expected = try reference(script, [design, weights, targets])
      let solution = try #require(fit.solve(design: design, weights: weights, targets: targets))
      for (mine, theirs) in zip(solution, expected[0]) {
        #expect(isClose(mine, theirs, relative: 1e-9))
      }
    }
  }

  @Test func `columns that depend on each other, or weights of 0, determine nothing`() {
    let fit = WeightedFit(rows: 3, columns: 2)
    #expect(fit.solve(design: [1, 2, 1, 2, 1, 2], weights: [1, 1, 1], targets: [1, 2, 3]) == nil)
    #expect(fit.solve(design: [1, 1, 1, 2, 1, 3], weights: [1, 0, 0], targets: [1, 2, 3]) == nil)
    #expect(fit.solve(design: [1, 1, 1, 2, 1, 3], weights: [1, 1, 0], targets: [1, 2, 9]) != nil)
  }
}
