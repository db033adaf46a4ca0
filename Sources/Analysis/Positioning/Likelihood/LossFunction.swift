import Geometry
import RealModule

/// The cost of a standardised residual.
///
/// ψ is half the derivative of the loss. The tuning constants give 95 % of the efficiency of least
/// squares on Gaussian residuals (Holland & Welsch, "Robust regression using iteratively reweighted
/// least-squares", 1977).
enum LossFunction: String, CaseIterable, Sendable {
  /// ε².
  case squared
  /// ε² up to 1.345, linear beyond.
  case huber
  /// c² ln(1 + (ε/c)²), c = 2.385.
  case cauchy
  /// c²/3 (1 - (1 - (ε/c)²)³) up to c = 4.685, constant beyond.
  case tukey

  private var scale: Double {
    switch self {
    case .squared: 1
    case .huber: 1.345
    case .cauchy: 2.385
    case .tukey: 4.685
    }
  }

  /// The asymptotic efficiency on Gaussian residuals, relative to least squares.
  var efficiency: Double { self == .squared ? 1 : 0.95 }

  /// Returns the loss, which never decreases with |ε|.
  func value(_ residual: Double) -> Double {
    let (size, c) = (abs(residual), scale)
    switch self {
    case .squared: return size * size
    case .huber: return size <= c ? size * size : 2 * c * size - c * c
    case .cauchy: return c * c * Double.log(onePlus: size / c * (size / c))
    case .tukey:
      let left = max(0, 1 - size / c * (size / c))
      return c * c / 3 * (1 - left * left * left)
    }
  }

  /// Returns ψ = ½ dℓ/dε.
  func influence(_ residual: Double) -> Double {
    let c = scale
    let u = residual / c * (residual / c)
    switch self {
    case .squared: return residual
    case .huber: return min(max(residual, -c), c)
    case .cauchy: return residual / (1 + u)
    case .tukey: return u < 1 ? residual * (1 - u) * (1 - u) : 0
    }
  }

  /// Returns dψ/dε.
  func curvature(_ residual: Double) -> Double {
    let c = scale
    let u = residual / c * (residual / c)
    switch self {
    case .squared: return 1
    case .huber: return u <= 1 ? 1 : 0
    case .cauchy: return (1 - u) / ((1 + u) * (1 + u))
    case .tukey: return u < 1 ? (1 - u) * (1 - 5 * u) : 0
    }
  }

  /// Returns the least dψ/dε of residuals in an interval.
  func leastCurvature(_ interval: ClosedRange<Double>) -> Double {
    let largest = max(abs(interval.lowerBound), abs(interval.upperBound))
    let least = interval.contains(0) ? 0 : min(abs(interval.lowerBound), abs(interval.upperBound))
    // The residual at which ψ falls fastest: its curvature decreases up to there and increases
    // beyond.
    let steepest: Double
    switch self {
    case .squared, .huber: return curvature(largest)
    case .cauchy: steepest = scale * 3.0.squareRoot()
    case .tukey: steepest = scale * 0.6.squareRoot()
    }
    return curvature(min(max(steepest, least), largest))
  }
}
