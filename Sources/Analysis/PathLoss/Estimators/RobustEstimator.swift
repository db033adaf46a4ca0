import NumericalMethods
import RealModule

/// M-estimation, in which readings far from the curve have less weight.
///
/// Iteratively reweighted least squares with the scale from the median absolute residual, both to
/// their common fixed point (Huber and Ronchetti, "Robust statistics", 2009, section 7.8; the same
/// as statsmodels' RLM). The scale is at least 1/√12 dB, the error of rounding to whole dBm,
/// because the median of rounded residuals can be 0. Tukey's loss has several minima, so it starts
/// from Huber's. Complexity: O(counts) per iteration. Outliers are assumed to be symmetric, so it
/// corrects neither obstacles that shadow many packets nor packets too weak to be received.
struct RobustEstimator: LinearEstimator {
  var loss: RobustLoss
  var maximumIterations = 500

  func fit(_ observations: Observations) throws(NotFitted) -> LinearFit {
    let solver =
      observations.stations >= observations.parameters
      ? WeightedFit(rows: observations.stations, columns: observations.parameters) : nil
    guard let solver else { throw .undetermined }
    var start = try StationSums(observations, weights: observations.weight)
      .solve(observations, with: solver)
    if loss == .tukey {
      start = try iterate(observations, .huber, from: start, solver).coefficients
    }
    return try iterate(observations, loss, from: start, solver)
  }

  private func iterate(
    _ observations: Observations, _ loss: RobustLoss, from start: [Double], _ solver: WeightedFit
  ) throws(NotFitted) -> LinearFit {
    var coefficients = start
    var residuals = [Double](repeating: 0, count: observations.level.count)
    var weights = residuals
    var median = WeightedMedian()
    var scale = 0.0
    var hasConverged = false
    var iterations = 0
    while iterations < maximumIterations, !hasConverged {
      iterations += 1
      observations.setResiduals(coefficients, &residuals)
      let deviation = median.ofAbsolute(residuals, weights: observations.weight)
      scale = max(deviation / 0.674_489_750_196_081_7, 1 / 12.0.squareRoot())
      for cell in residuals.indices {
        weights[cell] = observations.weight[cell] * loss.weight(residuals[cell] / scale)
      }
      let next = try StationSums(observations, weights: weights).solve(observations, with: solver)
      let change = zip(next, coefficients).map { abs($0 - $1) }.max() ?? 0
      hasConverged = change <= 1e-10 * scale
      coefficients = next
    }
    observations.setResiduals(coefficients, &residuals)
    var curvature = [Double](repeating: 0, count: observations.stations)
    var slope = curvature
    for station in 0..<observations.stations {
      for cell in observations.first[station]..<observations.first[station + 1] {
        let u = residuals[cell] / scale
        curvature[station] += observations.weight[cell] * loss.slope(u)
        slope[station] += observations.weight[cell] * loss.weight(u) * residuals[cell]
      }
    }
    return LinearFit(
      coefficients: coefficients, sigma: scale,
      positions: observations.positionInformation(curvature: curvature, slope: slope),
      byStation: (curvature, slope), hasConverged: hasConverged, iterations: iterations)
  }
}

extension Observations {
  /// Sets the residual of each level from the prediction, in dB.
  func setResiduals(_ coefficients: [Double], _ residuals: inout [Double]) {
    let predictions = predictions(coefficients)
    for station in 0..<stations {
      for cell in first[station]..<first[station + 1] {
        residuals[cell] = level[cell] - predictions[station]
      }
    }
  }
}

/// The loss function of a robust fit.
///
/// The tuning constants give 95 % of the efficiency of least squares on Gaussian levels (Holland
/// and Welsch 1977).
package enum RobustLoss: Sendable {
  /// Least squares up to 1.345 standard deviations, absolute beyond: Huber 1964.
  case huber
  /// Tukey's bisquare, with weight 0 beyond 4.685 standard deviations: Beaton and Tukey 1974.
  case tukey
  /// Cauchy's log(1 + (u/2.385)²), with weights that never reach 0.
  case cauchy

  /// Returns ψ(u)/u at a residual of u standard deviations.
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

  /// Returns ψ′(u).
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
