internal import CCholesky
import RealModule

/// The lower triangular factor L of a symmetric positive definite matrix A = L Lᵀ.
///
/// Source: Golub and Van Loan, "Matrix computations", 2013, section 4.2. The kernels of `CCholesky`
/// take a fifth of the time of GSL's functions, which use an unoptimised BLAS. Complexity: O(n³) to
/// create, O(n²) to solve.
package struct CholeskyFactor: Equatable, Sendable {
  /// The number n of rows.
  package let size: Int
  /// The factor L in panels of eight rows, each column by column; further rows, which fill the last
  /// panel, are those of the unit matrix.
  private var factor: [SIMD8<Double>]

  /// The number of panels.
  private var panels: Int { (size + 7) / 8 }
  /// The number of rows and columns of all panels, at least n.
  package var paddedSize: Int { 8 * panels }

  /// Factors a matrix, or returns `nil` if it is not positive definite to working precision: if a
  /// pivot does not exceed n · 2.2e-16 of its diagonal element.
  ///
  /// - Parameters:
  ///   - matrix: The n × n elements, row by row; only the lower triangle is read.
  ///   - size: The number n of rows, at least 1.
  package init?(_ matrix: [Double], size: Int) {
    precondition(
      size > 0 && matrix.count == size * size, "expected a matrix of \(size) × \(size) elements")
    self.size = size
    factor = []
    factor = [SIMD8<Double>](repeating: .zero, count: panels * paddedSize)
    for row in 0..<size {
      let first = row / 8 * paddedSize
      for column in 0...row { factor[first + column][row % 8] = matrix[row * size + column] }
    }
    for row in size..<paddedSize { factor[place(row, row)][row % 8] = 1 }
    ccholesky_factor(panels, &factor)
    let precision = Double(size) * Double.ulpOfOne
    for row in 0..<size {
      // Written so that a NaN pivot fails too, which each row has that is not finite.
      guard pivot(row) * pivot(row) > precision * matrix[row * size + row] else { return nil }
    }
  }

  /// Returns the place of the element of a row and column, whose lane is that of the row.
  private func place(_ row: Int, _ column: Int) -> Int { row / 8 * paddedSize + column }

  private func pivot(_ row: Int) -> Double { factor[place(row, row)][row % 8] }

  /// The logarithm of the determinant, log |A|.
  package var logDeterminant: Double {
    (0..<size).reduce(0) { $0 + 2 * Double.log(pivot($1)) }
  }

  /// The factor L row by row, with zeros above the diagonal.
  package var lower: [Double] {
    var lower = [Double](repeating: 0, count: size * size)
    for row in 0..<size {
      for column in 0...row { lower[row * size + column] = factor[place(row, column)][row % 8] }
    }
    return lower
  }

  /// Returns x with A x = b.
  ///
  /// - Parameter right: The n elements of b.
  package func solve(_ right: [Double]) -> [Double] {
    precondition(right.count == size, "expected \(size) elements on the right-hand side")
    var solution = right + [Double](repeating: 0, count: paddedSize - size)
    for first in stride(from: 0, to: paddedSize, by: 8) {
      var sums = SIMD8(solution[first..<(first + 8)])
      for column in 0..<first { sums -= factor[place(first, column)] * solution[column] }
      for row in 0..<8 {
        let column = factor[place(first, first + row)]
        solution[first + row] = sums[row] / column[row]
        sums -= column * solution[first + row]
      }
    }
    for first in stride(from: paddedSize - 8, through: 0, by: -8) {
      var known = SIMD8<Double>.zero
      for row in (0..<8).reversed() {
        let column = factor[place(first, first + row)]
        known[row] = (solution[first + row] - (column * known).sum()) / column[row]
        solution[first + row] = known[row]
      }
      for column in 0..<first { solution[column] -= (factor[place(first, column)] * known).sum() }
    }
    return Array(solution.prefix(size))
  }

  /// The inverse A⁻¹, row by row, symmetric.
  package var inverse: [Double] {
    var root = [SIMD8<Double>](repeating: .zero, count: factor.count)
    var rows = root
    ccholesky_invert(panels, factor, &root, &rows)
    var inverse = [Double](repeating: 0, count: size * size)
    for row in 0..<size {
      for column in (row / 8 * 8)..<size {
        let value = rows[place(row, column)][row % 8]
        inverse[row * size + column] = value
        inverse[column * size + row] = value
      }
    }
    return inverse
  }
}
