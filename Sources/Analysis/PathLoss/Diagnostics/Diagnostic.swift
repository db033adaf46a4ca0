/// A property of a fit that a user should know before trusting it.
public struct Diagnostic: Codable, Equatable, Sendable {
  /// A stable name for scripts, such as `one-distance`.
  public var code: String
  /// One or two sentences.
  public var message: String
  /// The figure behind the diagnostic, if it has one; see `docs/path-loss.md`.
  public var value: Double?
  /// The p-value; `nil` without a test.
  public var pValue: Double?

  private enum CodingKeys: String, CodingKey {
    case code, message, value
    case pValue = "p_value"
  }

  /// Creates a diagnostic.
  public init(_ code: String, _ message: String, value: Double? = nil, pValue: Double? = nil) {
    self.code = code
    self.message = message
    self.value = value
    self.pValue = pValue
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(code, forKey: .code)
    try values.encode(message, forKey: .message)
    try values.encode(value, forKey: .value)
    try values.encode(pValue, forKey: .pValue)
  }
}

/// Formats a number for a message.
func shown(_ value: Double, _ digits: Int = 2) -> String {
  let scale = [1.0, 10, 100, 1000][min(max(digits, 0), 3)]
  let rounded = (value * scale).rounded() / scale
  return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
}

extension Diagnostic {
  /// Returns the diagnostics from the residuals of a fit.
  static func checks(
    _ residuals: Residuals, _ errors: FitUncertainty, _ asked: PathLossFit, _ group: PathLossGroup
  ) -> [Diagnostic] {
    let means = DistanceMeans(residuals)
    // A line through log distance is the whole model only without walls and bends.
    let isLine = asked.model == .logDistance || asked.model == .altBeacon
    // The means of truncated levels do not lie on the curve, and their variance is smaller.
    let isWhole = !asked.estimator.accountsForMissing
    let line = isLine && isWhole ? means : nil
    var found = [
      line.flatMap(lackOfFit),
      line.flatMap { outlyingPositions(residuals, $0) },
      blockedPackets(residuals.stations),
      isWhole ? nonConstantVariance(residuals, line) : nil,
      channelEffects(residuals),
      residualAutocorrelation(residuals.stations),
      dominantPosition(residuals, errors),
      splitStays(residuals.stations),
    ].compactMap(\.self)
    found += fewDegreesOfFreedom(group)
    found += nodeEffects(residuals)
    found += amplifyingWalls(group)
    found += influentialPositions(residuals, errors, group)
    if asked.estimator.accountsForMissing { return found }
    if let censoring = suspectedCensoring(residuals, group, weakest: asked.sensitivity) {
      found.append(censoring)
    } else if let correlation = spatialCorrelation(residuals) {
      // Missing packets bend the curve, which correlates the residuals of neighbours.
      found.append(correlation)
    }
    return found
  }

  /// Returns diagnostics if the errors themselves are too uncertain: below four degrees of freedom
  /// Satterthwaite's approximation is poor. The classical errors of one reading per position need
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
          + "approximate: a few \(basis.words) have most of the weight; "
          + (basis == .positions || basis == .places
            ? "measure at more \(basis.words)"
            : "measure with more of them, or fit each separately"),
        value: least)
    ]
  }
}
