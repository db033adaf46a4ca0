/// Mean and standard deviation of a sample, with the bounds that statistics sets on their error.
struct Moments {
  let count: Double
  let mean: Double
  let variance: Double
  var deviation: Double { variance.squareRoot() }

  init(_ values: [Double]) {
    count = Double(values.count)
    let mean = values.reduce(0, +) / count
    self.mean = mean
    variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
  }

  /// Whether the mean is within 5 standard errors, σ / √N.
  func hasMean(_ expected: Double, deviation: Double) -> Bool {
    abs(mean - expected) <= 5 * deviation / count.squareRoot()
  }

  /// Whether a Gaussian sample's variance is within 5 standard errors, σ² √(2 / (N - 1)).
  func hasGaussianVariance(_ expected: Double) -> Bool {
    abs(variance - expected) <= 5 * expected * (2 / (count - 1)).squareRoot()
  }
}

/// Whether a share of independent trials is within 5 standard errors, √(p (1 - p) / N).
func isShare(_ hits: Int, of trials: Int, _ p: Double) -> Bool {
  let n = Double(trials)
  return abs(Double(hits) / n - p) <= 5 * (p * (1 - p) / n).squareRoot()
}
