import RealModule

/// The triangular factor U of a small symmetric positive definite matrix A = Uᵀ U.
///
/// All loops run along rows, so that the compiler vectorises them. Source: Golub and Van Loan,
/// "Matrix computations", section 4.2 (outer product Cholesky).
/// Complexity: O(n³) to create, O(n²) to solve.
package struct CholeskyFactor: Equatable, Sendable {
  /// The number n of rows.
  package let size: Int
  /// The factor U, row by row; elements below the diagonal are 0.
  private var factor: [Double]

  /// Factors a matrix, or returns `nil` if it is not positive definite to working precision: if a
  /// pivot does not exceed n · 2.2e-16 of its diagonal element.
  ///
  /// - Parameters:
  ///   - matrix: The n × n elements, row by row; only the lower triangle is read.
  ///   - size: The number n of rows, at least 1.
  package init?(_ matrix: [Double], size: Int) {
    precondition(
      size > 0 && matrix.count == size * size, "expected a matrix of \(size) × \(size) elements")
    let precision = Double(size) * Double.ulpOfOne
    var factor = [Double](repeating: 0, count: size * size)
    for row in 0..<size {
      for column in 0...row { factor[column * size + row] = matrix[row * size + column] }
    }
    let isPositive = factor.withUnsafeMutableBufferPointer { factor in
      for pivot in 0..<size {
        let first = factor.baseAddress! + pivot * size
        // Written so that a NaN pivot fails too.
        guard first[pivot] > precision * matrix[pivot * size + pivot] else { return false }
        let root = first[pivot].squareRoot()
        for column in pivot..<size { first[column] /= root }
        for row in (pivot + 1)..<max(size, pivot + 1) {
          add(first + row, times: -first[row], to: first + (row - pivot) * size + row, size - row)
        }
      }
      return true
    }
    guard isPositive, factor.allSatisfy(\.isFinite) else { return nil }
    self.size = size
    self.factor = factor
  }

  /// The logarithm of the determinant, log |A|.
  package var logDeterminant: Double {
    (0..<size).reduce(0) { $0 + 2 * Double.log(factor[$1 * size + $1]) }
  }

  /// Returns x with A x = b.
  ///
  /// - Parameter right: The n elements of b.
  package func solve(_ right: [Double]) -> [Double] {
    precondition(right.count == size, "expected \(size) elements on the right-hand side")
    var solution = right
    for row in 0..<size {
      solution[row] /= factor[row * size + row]
      for column in (row + 1)..<max(size, row + 1) {
        solution[column] -= solution[row] * factor[row * size + column]
      }
    }
    for row in (0..<size).reversed() {
      for column in (row + 1)..<max(size, row + 1) {
        solution[row] -= factor[row * size + column] * solution[column]
      }
      solution[row] /= factor[row * size + row]
    }
    return solution
  }

  /// The inverse A⁻¹, row by row, symmetric.
  package var inverse: [Double] {
    var inverse = [Double](repeating: 0, count: size * size)
    // The rows of U⁻ᵀ, of which A⁻¹ is the sum of outer products.
    var root = inverse
    root.withUnsafeMutableBufferPointer { root in
      inverse.withUnsafeMutableBufferPointer { inverse in
        let (rows, sums) = (root.baseAddress!, inverse.baseAddress!)
        for row in 0..<size {
          let last = rows + row * size
          for other in 0..<row {
            add(rows + other * size, times: -factor[other * size + row], to: last, other + 1)
          }
          last[row] = 1
          let pivot = 1 / factor[row * size + row]
          for column in 0...row { last[column] *= pivot }
          for other in 0...row { add(last, times: last[other], to: sums + other * size, other + 1) }
        }
        for row in 0..<size {
          for column in 0..<row { sums[column * size + row] = sums[row * size + column] }
        }
      }
    }
    return inverse
  }
}

/// Adds a multiple of some numbers to others.
@inline(__always)
private func add(
  _ numbers: UnsafePointer<Double>, times factor: Double, to sums: UnsafeMutablePointer<Double>,
  _ count: Int
) {
  for index in 0..<count { sums[index] += factor * numbers[index] }
}
