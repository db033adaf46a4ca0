import RealModule

/// The uncertainty of the standard deviations, and the resulting degrees of freedom.
///
/// In the logarithms of the ratios that are not 0 and of σ, with −2 log restricted likelihood d: d
/// = log |A| + log |Xᵀ V⁻¹ X| + (N − 2) log σ² + r² / σ². Derivatives with respect to the ratios
/// are central differences with one step of Richardson extrapolation; those with respect to σ are
/// exact. Satterthwaite as in lmerTest (Kuznetsova, Brockhoff and Christensen, 2017): for an
/// estimate with variance f(φ), whose gradient is g, ν = 2 f² / (gᵀ C g) with C = 2 H⁻¹ the
/// covariance of φ.
package struct DeviationUncertainty {
  /// The effects whose ratio is not 0, then σ: the order of `covariance`.
  private let free: [Int]
  /// C, row by row.
  private let covariance: [Double]
  /// d log f / dφ of the variances of the level at x = 0 and of the slope.
  private let gradients: (level: [Double], slope: [Double])
  /// The degrees of freedom of the level at any x.
  package let line: LineFreedom

  /// Returns `nil` if the likelihood has no minimum there: it is flat, or the search ended
  /// elsewhere.
  ///
  /// - Parameters:
  ///   - ratios: The ratios of maximum likelihood.
  ///   - variance: σ² there.
  ///   - origin: The origin of x relative to the model's x.
  package init?(
    _ model: inout MixedModel, at ratios: [Double], variance: Double, origin: Double
  ) {
    let free = ratios.indices.filter { ratios[$0] > 0 }
    /// Returns d at the estimated σ and r² / σ², both less a constant, and the logarithms of the
    /// estimates' variances over σ².
    func look(_ shift: [(Int, Double)]) -> [Double] {
      var moved = ratios
      for (effect, step) in shift { moved[effect] *= .exp(step) }
      let found = model.evaluate(moved)
      let (level, both, slope) = found.covariance
      return [
        found.logDeterminants + found.excess / variance, found.excess / variance,
        .log(level + 2 * origin * both + origin * origin * slope), .log(slope),
        level + 2 * origin * both + origin * origin * slope, both + origin * slope, slope,
      ]
    }
    let here = look([])
    let size = free.count + 1
    var hessian = [Double](repeating: 0, count: size * size)
    hessian[size * size - 1] = 4 * (model.count - 2)
    var ofLevel: [Double] = []
    var ofSlope: [Double] = []
    var parts: [[Double]] = [[], [], []]
    for (row, effect) in free.enumerated() {
      let near = Differences(here, look([(effect, -step)]), look([(effect, step)]), step)
      let far = Differences(here, look([(effect, -2 * step)]), look([(effect, 2 * step)]), 2 * step)
      hessian[row * (size + 1)] = extrapolated(near.second[0], far.second[0])
      // ∂²d/∂φ∂log σ = −2 ∂(r²/σ²)/∂φ.
      let residual = -2 * extrapolated(near.first[1], far.first[1])
      hessian[row * size + size - 1] = residual
      hessian[(size - 1) * size + row] = residual
      ofLevel.append(extrapolated(near.first[2], far.first[2]))
      ofSlope.append(extrapolated(near.first[3], far.first[3]))
      for part in parts.indices {
        parts[part].append(extrapolated(near.first[4 + part], far.first[4 + part]))
      }
      for (column, other) in free.prefix(row).enumerated() {
        func mixed(_ step: Double) -> Double {
          func at(_ a: Double, _ b: Double) -> Double { look([(effect, a), (other, b)])[0] }
          let same = at(step, step) + at(-step, -step)
          return (same - at(step, -step) - at(-step, step)) / (4 * step * step)
        }
        let value = extrapolated(mixed(step), mixed(2 * step))
        hessian[row * size + column] = value
        hessian[column * size + row] = value
      }
    }
    guard let factor = CholeskyFactor(hessian, size: size) else { return nil }
    self.free = free
    covariance = factor.inverse.map { 2 * $0 }
    gradients = (ofLevel + [2], ofSlope + [2])
    // All are in units of σ², so their derivative with respect to log σ is twice themselves.
    line = LineFreedom(
      covariance: covariance, values: Array(here[4...]),
      gradients: parts.indices.map { parts[$0] + [2 * here[4 + $0]] })
  }

  /// The degrees of freedom of the level at x = 0 and of the slope, at least 1.
  package var degreesOfFreedom: (level: Double, slope: Double) {
    func degrees(_ gradient: [Double]) -> Double {
      let size = gradient.count
      var variance = 0.0
      for row in 0..<size {
        for column in 0..<size {
          variance += gradient[row] * covariance[row * size + column] * gradient[column]
        }
      }
      return max(1, 2 / variance)
    }
    return (degrees(gradients.level), degrees(gradients.slope))
  }

  /// The standard error of the logarithm of the residual standard deviation.
  package var residualError: Double { covariance[covariance.count - 1].squareRoot() }

  /// Returns the standard error of the logarithm of an effect's standard deviation, or `nil` if
  /// that is 0.
  package func error(ofEffect effect: Int) -> Double? {
    guard let row = free.firstIndex(of: effect) else { return nil }
    let size = free.count + 1
    // The logarithm is the sum of those of the ratio and of σ.
    let variance =
      covariance[row * (size + 1)] + 2 * covariance[row * size + size - 1]
      + covariance[size * size - 1]
    return variance.squareRoot()
  }
}

/// Satterthwaite's degrees of freedom of the line's level at any x.
package struct LineFreedom: Equatable, Sendable {
  /// C, row by row.
  fileprivate let covariance: [Double]
  /// The variance of the level at x = 0, its covariance with the slope, and the slope's variance.
  fileprivate let values: [Double]
  /// Their derivatives.
  fileprivate let gradients: [[Double]]

  /// Returns the degrees of freedom of the level at x, at least 1.
  package func degreesOfFreedom(at x: Double) -> Double {
    let weights = [1, 2 * x, x * x]
    let value = dot(weights, values)
    let gradient = gradients[0].indices.map { index in
      dot(weights, gradients.map { $0[index] })
    }
    let size = gradient.count
    var variance = 0.0
    for row in 0..<size {
      variance += gradient[row] * dot(Array(covariance[row * size..<(row + 1) * size]), gradient)
    }
    return max(1, 2 * value * value / variance)
  }
}

/// The step of the differences: truncation h⁴ / 6! of the sixth derivative, rounding 1e-16 d / h².
private let step = 0.05

/// The central differences of several functions at once.
private struct Differences {
  let first: [Double]
  let second: [Double]

  init(_ here: [Double], _ below: [Double], _ above: [Double], _ step: Double) {
    first = here.indices.map { (above[$0] - below[$0]) / (2 * step) }
    second = here.indices.map { (above[$0] - 2 * here[$0] + below[$0]) / (step * step) }
  }
}

private func extrapolated(_ near: Double, _ far: Double) -> Double { (4 * near - far) / 3 }
