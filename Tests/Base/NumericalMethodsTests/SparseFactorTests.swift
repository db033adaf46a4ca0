import TestSupport
import Testing

@testable import NumericalMethods

struct SparseFactorTests {
  /// A random pattern above the diagonal, with values that leave the matrix positive definite.
  private func random(
    _ size: Int, density: Double, _ generator: inout SeededGenerator
  ) -> (starts: [Int], rows: [Int], values: [Double], diagonal: [Double]) {
    var starts = [0]
    var rows: [Int] = []
    var values: [Double] = []
    var diagonal = [Double](repeating: 1, count: size)
    for column in 0..<size {
      for row in 0..<column where Double.random(in: 0..<1, using: &generator) < density {
        let value = generator.gaussian()
        rows.append(row)
        values.append(value)
        diagonal[row] += abs(value)
        diagonal[column] += abs(value)
      }
      starts.append(rows.count)
    }
    return (starts, rows, values, diagonal)
  }

  @Test(
    arguments: [1, 2, 7, 30, 60],
    [0, 0.05, 0.3, 1])
  func `agrees with numpy, also with new values in the same pattern`(size: Int, density: Double)
    throws
  {
    var generator = SeededGenerator(seed: UInt64(size))
    let (starts, rows, values, diagonal) = random(size, density: density, &generator)
    let right = (0..<size).map { _ in generator.gaussian() }
    let script = """
      starts, rows_, values, diagonal, right = rows
      A = np.diag(diagonal)
      for k in range(len(diagonal)):
          for p in range(int(starts[k]), int(starts[k + 1])):
              i = int(rows_[p])
              A[i, k] = A[k, i] = values[p]
      for factor in (1, 0.25):
          B = A * factor
          answer(np.linalg.slogdet(B)[1])
          answer(*np.linalg.solve(B, right))
          answer(*np.linalg.inv(B).diagonal())
      """
    let expected = try reference(
      script, [starts.map(Double.init), rows.map(Double.init), values, diagonal, right])
    var factor = SparseFactor(starts: starts, rows: rows)
    for (scale, answers) in [(1.0, expected[..<3]), (0.25, expected[3...])] {
      factor.factor(diagonal: diagonal.map { $0 * scale }, values: values.map { $0 * scale })
      var three = right.flatMap { value -> [Double] in [value, 0, -2 * value] }
      factor.solve(&three)
      let solution = right.indices.map { three[3 * $0] }
      for row in right.indices {
        #expect(three[3 * row + 1] == 0)
        #expect(three[3 * row + 2] == -2 * solution[row])
      }
      let inverse = (0..<size).map { factor.inverseDiagonal($0) }
      for (mine, theirs) in zip([[factor.logDeterminant], solution, inverse], answers) {
        #expect(mine.count == theirs.count)
        for (a, b) in zip(mine, theirs) {
          #expect(isClose(a, b, absolute: 1e-12, relative: 1e-10), "\(a), \(b)")
        }
      }
    }
  }
}
