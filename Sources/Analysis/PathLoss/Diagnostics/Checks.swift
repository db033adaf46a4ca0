extension Diagnostic {
  /// What the residuals of a fit say against it.
  static func checks(
    _ residuals: Residuals, _ errors: FitUncertainty, _ asked: PathLossFit, _ group: PathLossGroup
  ) -> [Diagnostic] {
    var found = [
      nonConstantVariance(residuals),
      channelEffects(residuals),
      residualAutocorrelation(residuals.stations),
      dominantPosition(residuals, errors),
      splitStays(residuals.stations),
    ].compactMap(\.self)
    found += nodeEffects(residuals)
    found += amplifyingWalls(group)
    found += influentialPositions(residuals, errors, group)
    if !asked.estimator.needsSensitivity,
      let censoring = suspectedCensoring(residuals, group, weakest: asked.sensitivity)
    {
      found.append(censoring)
    }
    return found
  }
}
