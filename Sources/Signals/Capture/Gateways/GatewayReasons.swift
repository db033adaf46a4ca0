internal import Sightings

/// The reasons for which gateways state that they refused input; a hostile one could write any.
struct GatewayReasons {
  /// Different reasons that are kept; those that come later count as one.
  static let most = 256
  /// What the others count as.
  static let other = "other-reason"

  private var reasons: Set<String> = []

  /// The reason, or `other` for one too many or of another form.
  mutating func known(_ reason: String) -> String {
    if reasons.contains(reason) { return reason }
    guard reasons.count < Self.most, (1...TextLimit.reason.bytes).contains(reason.utf8.count),
      reason.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else { return Self.other }
    reasons.insert(reason)
    return reason
  }
}
