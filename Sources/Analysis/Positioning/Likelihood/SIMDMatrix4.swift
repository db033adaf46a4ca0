/// A symmetric matrix of up to four unknowns, without allocation; rows of fixed unknowns are 0.
struct SIMDMatrix4 {
  var rows: [4 of SIMD4<Double>] = [4 of SIMD4<Double>](repeating: SIMD4())

  subscript(row: Int, column: Int) -> Double {
    get { rows[row][column] }
    set { rows[row][column] = newValue }
  }

  /// Adds factor × v vᵀ.
  mutating func add(_ v: SIMD4<Double>, times factor: Double) {
    let scaled = factor * v
    for row in 0..<4 { rows[row] += scaled[row] * v }
  }

  /// Adds a vector to the diagonal.
  mutating func add(diagonal: SIMD4<Double>) {
    for row in 0..<4 { rows[row][row] += diagonal[row] }
  }

  /// Returns the matrix with row and column j times factor j.
  func scaled(by factors: SIMD4<Double>) -> SIMDMatrix4 {
    var result = self
    for row in 0..<4 {
      let product: SIMD4<Double> = rows[row] * factors
      result.rows[row] = product * factors[row]
    }
    return result
  }

  /// Returns the least eigenvalue over some of the unknowns (Jacobi rotations).
  func leastEigenvalue(of axes: [Int]) -> Double {
    if axes.count == 2 {
      let (a, b, c) = (self[axes[0], axes[0]], self[axes[0], axes[1]], self[axes[1], axes[1]])
      return 0.5 * (a + c) - (0.25 * (a - c) * (a - c) + b * b).squareRoot()
    }
    var m = self
    for _ in 0..<12 {
      var off = 0.0
      for (index, p) in axes.enumerated() {
        for q in axes[(index + 1)...] where m[p, q] != 0 {
          off += m[p, q] * m[p, q]
          m.rotate(p, q)
        }
      }
      let size = axes.reduce(0) { $0 + m[$1, $1] * m[$1, $1] }
      if off <= 1e-24 * size { break }
    }
    return axes.reduce(.infinity) { min($0, m[$1, $1]) }
  }

  private mutating func rotate(_ p: Int, _ q: Int) {
    let theta = (self[q, q] - self[p, p]) / (2 * self[p, q])
    let t = (theta < 0 ? -1 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let c = 1 / (t * t + 1).squareRoot()
    let s = t * c
    for k in 0..<4 {
      let (kp, kq) = (self[k, p], self[k, q])
      (self[k, p], self[k, q]) = (c * kp - s * kq, s * kp + c * kq)
    }
    let (rowP, rowQ) = (rows[p], rows[q])
    rows[p] = c * rowP - s * rowQ
    rows[q] = s * rowP + c * rowQ
  }

  /// Returns the inverse over some of the unknowns, 0 elsewhere, or `nil` if it is not positive
  /// definite.
  func inverse(of axes: [Int]) -> SIMDMatrix4? {
    var left = self
    var right = SIMDMatrix4()
    for axis in axes { right[axis, axis] = 1 }
    // No pivoting: the pivots of a positive definite matrix are positive.
    for p in axes {
      let pivot = left[p, p]
      guard pivot > 1e-14 * abs(self[p, p]), pivot.isFinite else { return nil }
      left.rows[p] /= pivot
      right.rows[p] /= pivot
      for row in axes where row != p {
        let factor = left[row, p]
        left.rows[row] -= factor * left.rows[p]
        right.rows[row] -= factor * right.rows[p]
      }
    }
    return right
  }

  func times(_ v: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4((rows[0] * v).sum(), (rows[1] * v).sum(), (rows[2] * v).sum(), (rows[3] * v).sum())
  }
}
