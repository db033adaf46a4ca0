import LeastSquares
import TestSupport
import Testing

struct AccumulatingFitTests {
  private func fit(_ points: [(x: Double, y: Double)], blockRows: Int = 256) -> AccumulatingFit {
    let fit = AccumulatingFit(parameters: 2, blockRows: blockRows)
    for point in points { fit.addLine(x: point.x, y: point.y) }
    return fit
  }

  /// Points about a random line.
  private func points(
    _ count: Int, seed: UInt64, x offset: Double = 0, noise: Double = 3
  ) -> [(x: Double, y: Double)] {
    var generator = SeededGenerator(seed: seed)
    let intercept = Double.random(in: -80 ..< -40, using: &generator)
    let slope = Double.random(in: -4..<4, using: &generator)
    return (0..<count).map { _ in
      let x = offset + Double.random(in: -20..<20, using: &generator)
      return (x, intercept + slope * (x - offset) + noise * generator.gaussian())
    }
  }

  @Test("agrees with numpy, whatever is left for the last block")
  func numpy() throws {
    let counts = [2, 3, 4, 100, 255, 256, 257, 258, 511, 512, 513, 1000]
    let lines = (counts + counts).enumerated().map { points($1, seed: UInt64($0)) }
    let script = """
      for x, y in zip(rows[::2], rows[1::2]):
          b = np.linalg.lstsq(np.stack([np.ones_like(x), x], 1), y, rcond=None)[0]
          answer(*b, ((y - b[0] - b[1] * x) ** 2).sum())
      """
    let expected = try reference(script, lines.flatMap { [$0.map(\.x), $0.map(\.y)] })
    try #require(expected.count == lines.count)
    for (points, numbers) in zip(lines, expected) {
      let solution = try fit(points).solve()
      #expect(isClose(solution.coefficients[0], numbers[0], relative: 1e-9))
      #expect(isClose(solution.coefficients[1], numbers[1], relative: 1e-9))
      // Two points lie on their line but for rounding.
      #expect(isClose(solution.residualSumOfSquares, numbers[2], absolute: 1e-20, relative: 1e-9))
    }
  }

  @Test("the size of the blocks does not matter", arguments: [1, 2, 3, 7, 64, 1000])
  func blocks(rows: Int) throws {
    let points = points(500, seed: 3)
    let whole = try fit(points, blockRows: 500).solve()
    let parts = try fit(points, blockRows: rows).solve()
    for (a, b) in zip(whole.coefficients, parts.coefficients) { #expect(isClose(a, b, relative: 1e-11)) }
    #expect(isClose(whole.residualSumOfSquares, parts.residualSumOfSquares, relative: 1e-11))
  }

  @Test("keeps its digits far from the origin", arguments: [1e2, 1e3, 1e4, 1e5])
  func offsets(offset: Double) throws {
    // Exact rational arithmetic: normal equations lose 8 digits at an offset of 1e5.
    let script = """
      from fractions import Fraction as F
      x, y = ([F(v) for v in row.tolist()] for row in rows)
      n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
      slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
      start = my - slope * mx
      answer(start, slope, sum((b - start - slope * a) ** 2 for a, b in zip(x, y)))
      """
    let points = points(300, seed: 4, x: offset)
    let expected = try reference(script, [points.map(\.x), points.map(\.y)])[0]
    let solution = try fit(points).solve()
    // A backward stable solver errs by the precision times offset / spread, and a size of y that is
    // 10 times the slope's part of it.
    let tolerance = 1e-14 * offset
    #expect(isClose(solution.coefficients[0], expected[0], relative: tolerance))
    #expect(isClose(solution.coefficients[1], expected[1], relative: tolerance))
    #expect(isClose(solution.residualSumOfSquares, expected[2], relative: tolerance))
  }

  @Test("a million rows leave the digits where they are")
  func manyRows() throws {
    // At each x one point above the line y = 3 + 2 x and one as far below: the residuals are known.
    let fit = AccumulatingFit(parameters: 2)
    let count = 1_000_000
    for k in 0..<count / 2 {
      let x = Double(k % 1000)
      fit.addLine(x: x, y: 3 + 2 * x + 1)
      fit.addLine(x: x, y: 3 + 2 * x - 1)
    }
    let solution = try fit.solve()
    #expect(fit.count == count)
    #expect(isClose(solution.coefficients[0], 3, relative: 1e-9))
    #expect(isClose(solution.coefficients[1], 2, relative: 1e-9))
    #expect(isClose(solution.residualSumOfSquares, Double(count), relative: 1e-9))
  }

  @Test("refuses fewer rows than parameters", arguments: [0, 1])
  func tooFew(count: Int) {
    let fit = fit(points(count, seed: 5))
    #expect(throws: AccumulatingFit.Failure.tooFewRows) { try fit.solve() }
  }

  @Test(
    "refuses rows that do not determine the line",
    arguments: [2, 3, 255, 256, 257, 513, 10_000], [0, 1, -5.185139398778875, 0.1, 1e6])
  func rankDeficient(count: Int, x: Double) {
    let fit = fit((0..<count).map { (x, Double($0 % 7)) })
    #expect(throws: AccumulatingFit.Failure.rankDeficient) { try fit.solve() }
  }

  @Test("an answer asked for in between changes nothing", arguments: [0, 1, 2, 3, 256, 300])
  func asksInBetween(early: Int) throws {
    let points = points(600, seed: 6)
    let asked = AccumulatingFit(parameters: 2)
    for (index, point) in points.enumerated() {
      if index == early { _ = try? asked.solve() }
      asked.addLine(x: point.x, y: point.y)
    }
    let expected = try fit(points).solve()
    let solution = try asked.solve()
    for (a, b) in zip(solution.coefficients, expected.coefficients) {
      #expect(isClose(a, b, relative: 1e-11))
    }
    #expect(isClose(solution.residualSumOfSquares, expected.residualSumOfSquares, relative: 1e-11))
    let again = try asked.solve()
    #expect(again == solution)
  }

  @Test("takes no line where the model has another number of parameters")
  func notALine() async {
    await #expect(processExitsWith: .failure) {
      AccumulatingFit(parameters: 1).addLine(x: 1, y: 1)
    }
  }

  @Test("says why there is no solution")
  func sentences() {
    #expect(AccumulatingFit.Failure.tooFewRows.description == "fewer samples than parameters")
    #expect(
      AccumulatingFit.Failure.rankDeficient.description
        == "the samples do not determine every parameter")
    #expect(AccumulatingFit.Failure.gsl("why").description == "GSL: why")
  }
}
