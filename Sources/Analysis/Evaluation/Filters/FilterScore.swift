/// How well a filter did on the links of a table.
package struct FilterScore: Equatable, Sendable {
  /// Levels that were compared.
  package var samples = 0
  /// Root of the mean square of what it says less the truth, dB. Against readings that were held
  /// back, their noise is in it.
  package var rootMeanSquare = Double.nan
  /// Mean of what it says less the truth, dB.
  package var bias = Double.nan
  /// Share of truths within 1.96 of its standard deviations; NaN where it says no variance.
  package var coverage = Double.nan
  /// Seconds by which it follows a level that changes by 1 dB a second, at these sightings' times.
  package var lag = Double.nan
  /// Variance of independent noise before over after it, at these sightings' times.
  package var noiseReduction = Double.nan

  init() {}

  /// Compares what a filter says with the truth.
  ///
  /// - Parameters:
  ///   - levels: row by row: what is said, its variance, and the truth; NaN where there is none.
  init(_ levels: some Sequence<(said: Double, variance: Double, truth: Double)>) {
    var sum = 0.0
    var squares = 0.0
    var covered = 0
    var claims = 0
    for (said, variance, truth) in levels where !said.isNaN && !truth.isNaN {
      let error = said - truth
      samples += 1
      sum += error
      squares += error * error
      guard !variance.isNaN else { continue }
      claims += 1
      if error * error <= 1.96 * 1.96 * variance { covered += 1 }
    }
    guard samples > 0 else { return }
    rootMeanSquare = (squares / Double(samples)).squareRoot()
    bias = sum / Double(samples)
    if claims > 0 { coverage = Double(covered) / Double(claims) }
  }
}
