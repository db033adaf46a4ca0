extension Diagnostic {
  /// What the residuals of a fit state against it.
  static func checks(
    _ residuals: Residuals, _ errors: FitUncertainty, _ asked: PathLossFit, _ group: PathLossGroup
  ) -> [Diagnostic] {
    var found = [
      nonConstantVariance(residuals),
      channelEffects(residuals),
      residualAutocorrelation(residuals.stations),
      spatialCorrelation(residuals),
      dominantPosition(residuals, errors),
      splitStays(residuals.stations),
    ].compactMap(\.self)
    found += fewDegreesOfFreedom(group)
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

  /// Whether the errors are themselves too uncertain: below four degrees of freedom the
  /// approximation of Satterthwaite is poor. The classical errors of one reading a position need
  /// none.
  private static func fewDegreesOfFreedom(_ group: PathLossGroup) -> [Diagnostic] {
    let known = [group.powerFreedom, group.exponentFreedom].compactMap(\.self)
    guard let basis = group.errorBasis, basis != .samples, let least = known.min(), least < 4 else {
      return []
    }
    return [
      Diagnostic(
        "few-degrees-of-freedom",
        "the errors have \(shown(least, 1)) degrees of freedom, so the intervals are wide and "
          + "approximate: a few \(basis.rawValue) have most of the weight; "
          + (basis == .positions
            ? "give each position the same weight, or measure at more positions"
            : "measure with more of them, or fit each separately"),
        value: least)
    ]
  }
}
