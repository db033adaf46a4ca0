import CCholesky
import NumericalMethods
import TestSupport
import Testing

struct CholeskyFactorTests {
  /// A random matrix M Mᵀ, positive definite where M has full rank.
  private func matrix(_ size: Int, rank: Int, _ generator: inout SeededGenerator) -> [Double] {
    let root = (0..<size * rank).map { _ in generator.gaussian() }
    return (0..<size * size).map { place in
      (0..<rank).reduce(0) { sum, k in
        sum + root[place / size * rank + k] * root[place % size * rank + k]
      }
    }
  }

  @Test(arguments: [1, 2, 3, 8, 9, 40, 131])
  func `agrees with numpy`(size: Int) throws {
    var generator = SeededGenerator(seed: UInt64(size))
    let matrix = matrix(size, rank: size + 3, &generator)
    let right = (0..<size).map { _ in generator.gaussian() }
    let script = """
      A = rows[0].reshape(rows[1].size, -1)
      answer(*np.linalg.solve(A, rows[1]))
      answer(np.linalg.slogdet(A)[1])
      answer(*np.linalg.inv(A).ravel())
      """
    let expected = try reference(script, [matrix, right])
    let factor = try #require(CholeskyFactor(matrix, size: size))
    func expectClose(_ mine: [Double], _ theirs: [Double]) {
      let scale = theirs.map(abs).max() ?? 0
      #expect(mine.count == theirs.count)
      for (a, b) in zip(mine, theirs) { #expect(isClose(a, b, absolute: 1e-10 * scale)) }
    }
    expectClose(factor.solve(right), expected[0])
    #expect(isClose(factor.logDeterminant, expected[1][0], absolute: 1e-12, relative: 1e-12))
    expectClose(factor.inverse, expected[2])
  }

  @Test func `narrow registers give the same bits`() {
    var generator = SeededGenerator(seed: 3)
    let (panels, size) = (3, 24)
    let elements = matrix(size, rank: 40, &generator)
    var wide = (0..<panels * size).map { place in
      SIMD8((0..<8).map { elements[(place / size * 8 + $0) * size + place % size] })
    }
    var narrow = wide
    ccholesky_factor(panels, &wide)
    ccholesky_factor_narrow(panels, &narrow)
    #expect(wide == narrow)
    var (root, inverse) = (wide, wide)
    var (narrowRoot, narrowInverse) = (wide, wide)
    ccholesky_invert(panels, wide, &root, &inverse)
    ccholesky_invert_narrow(panels, wide, &narrowRoot, &narrowInverse)
    #expect(root == narrowRoot && inverse == narrowInverse)
  }

  @Test func `reads the lower triangle only`() throws {
    let factor = try #require(CholeskyFactor([4, .nan, 2, 10], size: 2))
    #expect(factor.solve([8, 22]) == [1, 2])
    let inverse = factor.inverse
    #expect(inverse[1] == inverse[2])
  }

  @Test func `a matrix that is not positive definite has no factor`() {
    #expect(CholeskyFactor([0], size: 1) == nil)
    #expect(CholeskyFactor([-1], size: 1) == nil)
    #expect(CholeskyFactor([.nan], size: 1) == nil)
    #expect(CholeskyFactor([.infinity], size: 1) == nil)
    #expect(CholeskyFactor([1, 2, 2, 1], size: 2) == nil)
    #expect(CholeskyFactor([1, .nan, .nan, 1], size: 2) == nil)
    var generator = SeededGenerator(seed: 9)
    for rank in 1..<6 { #expect(CholeskyFactor(matrix(6, rank: rank, &generator), size: 6) == nil) }
    #expect(CholeskyFactor(matrix(6, rank: 6, &generator), size: 6) != nil)
    // Of full rank by rounding alone.
    #expect(CholeskyFactor([1, 1, 1, 1 + 1e-16], size: 2) == nil)
  }

  @Test(arguments: [1e-150, 1e-9, 1, 1e12, 1e150])
  func `the size of the numbers does not matter`(scale: Double) throws {
    let factor = try #require(
      CholeskyFactor([4 * scale, 2 * scale, 2 * scale, 10 * scale], size: 2))
    let solution = factor.solve([8, 22])
    #expect(isClose(solution[0] * scale, 1, relative: 1e-14))
    #expect(isClose(solution[1] * scale, 2, relative: 1e-14))
  }
}
