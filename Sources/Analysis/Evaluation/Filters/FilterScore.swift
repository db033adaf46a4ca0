/// How well a filter did on the links of a table.
package struct FilterScore: Equatable, Sendable {
  /// Levels that were compared.
  package var samples = 0
  /// Root of the mean square of what it states less the truth, dB. Against readings that were held
  /// back, their noise is in it.
  package var rootMeanSquare = Double.nan
  /// Mean of what it states less the truth, dB.
  package var bias = Double.nan
  /// Share of truths within 1.96 of its standard deviations; NaN where it states no variance.
  package var coverage = Double.nan
  /// Seconds by which it follows a level that changes by 1 dB a second, at these sightings' times.
  package var lag = Double.nan
  /// Variance of independent noise before over after it, at these sightings' times.
  package var noiseReduction = Double.nan

  init() {}
}
