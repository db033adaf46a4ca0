import RealModule

/// How much a residual counts in a robust fit.
///
/// The tuning constants give 95 % of the efficiency of least squares on Gaussian levels (Holland
/// and Welsch 1977).
package enum RobustLoss: Sendable {
  /// Least squares up to 1.345 standard deviations, absolute beyond: Huber 1964.
  case huber
  /// Readings beyond 4.685 standard deviations count nothing: Beaton and Tukey 1974.
  case tukey
  /// log(1 + (u/2.385)²): heavy tails never count nothing.
  case cauchy

  /// ψ(u)/u at a residual of u standard deviations.
  func weight(_ u: Double) -> Double {
    switch self {
    case .huber: return abs(u) <= 1.345 ? 1 : 1.345 / abs(u)
    case .tukey:
      let part = u / 4.685
      guard abs(part) < 1 else { return 0 }
      return (1 - part * part) * (1 - part * part)
    case .cauchy:
      let part = u / 2.385
      return 1 / (1 + part * part)
    }
  }

  /// ψ′(u).
  func slope(_ u: Double) -> Double {
    switch self {
    case .huber: return abs(u) <= 1.345 ? 1 : 0
    case .tukey:
      let part = u * u / (4.685 * 4.685)
      return part < 1 ? (1 - part) * (1 - 5 * part) : 0
    case .cauchy:
      let part = u * u / (2.385 * 2.385)
      return (1 - part) / ((1 + part) * (1 + part))
    }
  }
}
