extension Diagnostic {
  /// What the residuals of a fit say against it.
  static func checks(
    _ stations: [Station], _ observations: Observations, _ residuals: Residuals, _ fit: LinearFit,
    _ errors: Uncertainty, _ asked: PathLossFit, _ group: PathLossGroup
  ) -> [Diagnostic] {
    var found = [
      nonConstantVariance(residuals, observations),
      channelEffects(residuals),
      residualAutocorrelation(stations),
      dominantPosition(residuals, errors),
      splitStays(stations),
    ].compactMap(\.self)
    found += influentialPositions(residuals, errors, group)
    if !asked.estimator.needsSensitivity,
      let censoring = suspectedCensoring(stations, residuals, group, weakest: asked.sensitivity)
    {
      found.append(censoring)
    }
    return found
  }
}
