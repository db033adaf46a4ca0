import NumericalMethods
import TestSupport
import Testing

struct MatrixTests {
  private func random(_ size: Int, _ generator: inout SeededGenerator) -> Matrix {
    Matrix(rows: size, columns: size, (0..<size * size).map { _ in generator.gaussian() })
  }

  /// A symmetric positive definite matrix whose parameters have very different units.
  private func information(_ size: Int, _ generator: inout SeededGenerator) -> Matrix {
    let root = random(size, &generator)
    var matrix = root * root.transposed + Matrix(diagonal: [Double](repeating: 0.1, count: size))
    for row in 0..<size {
      for column in 0..<size {
        matrix[row, column] *= [1, 1e4, 1e-3, 10][row] * [1, 1e4, 1e-3, 10][column]
      }
    }
    return matrix
  }

  @Test(arguments: 1...4)
  func `eigenvalues and inverses agree with numpy`(size: Int) throws {
    var generator = SeededGenerator(seed: UInt64(size))
    let matrices = (0..<20).map { _ in information(size, &generator) }
    let script = """
      for row in rows:
          n = int(len(row) ** 0.5)
          M = row.reshape(n, n)
          answer(*np.linalg.eigvalsh(M), *np.linalg.inv(M).ravel())
      """
    let expected = try reference(script, matrices.map(\.elements))
    for (matrix, answer) in zip(matrices, expected) {
      let eigen = try #require(SymmetricEigen(matrix))
      let largest = answer[size - 1]
      for (mine, theirs) in zip(eigen.values, answer) {
        #expect(isClose(mine, theirs, absolute: 1e-12 * largest))
      }
      let inverse = try #require(matrix.positiveInverse)
      for (mine, theirs) in zip(inverse.elements, answer[size...]) {
        #expect(isClose(mine, theirs, absolute: 1e-30, relative: 1e-6))
      }
      // Functions of a matrix: the square of its square root is itself.
      let root = eigen.map { max($0, 0).squareRoot() }
      for (mine, theirs) in zip((root * root).elements, matrix.elements) {
        #expect(isClose(mine, theirs, absolute: 1e-9 * largest))
      }
    }
  }

  @Test func `a matrix without an inverse has none, instead of a large one`() {
    #expect(Matrix(rows: 2, columns: 2, [1, 2, 2, 4]).positiveInverse == nil)
    #expect(Matrix(rows: 2, columns: 2, [1, 0, 0, 0]).positiveInverse == nil)
    #expect(Matrix(rows: 2, columns: 2, [1, 3, 3, 1]).positiveInverse == nil)
    #expect(Matrix(rows: 1, columns: 1, [.nan]).positiveInverse == nil)
    #expect(SymmetricEigen(Matrix(rows: 1, columns: 1, [.infinity])) == nil)
  }
}
