import NumericalMethods

extension Diagnostic {
  /// Whether readings scatter more at some distances than at others.
  ///
  /// The score test of a variance that changes with log distance (Breusch and Pagan 1979), with the
  /// variance of the score taken over positions, so that many packets at a few places prove nothing
  /// (Koenker 1981 for the studentised form). Stated below a probability of 0.01.
  static func nonConstantVariance(_ residuals: Residuals) -> Diagnostic? {
    let observations = residuals.observations
    let positions = observations.clusterCount
    guard positions >= 10, residuals.all.count > 0 else { return nil }
    let x = residuals.stations.map { logDistance($0.distance) }
    let total = residuals.all.count
    let mean = zip(x, residuals.byStation).reduce(0) { $0 + $1.0 * $1.1.count } / total
    let variance = residuals.all.squares / total
    var scores = [Double](repeating: 0, count: positions)
    var moment = 0.0
    var spread = 0.0
    for (station, own) in residuals.byStation.enumerated() {
      let excess = own.squares - own.count * variance
      scores[observations.cluster[station]] += (x[station] - mean) * excess
      moment += (x[station] - mean) * own.squares
      spread += (x[station] - mean) * (x[station] - mean) * own.count
    }
    let score = scores.reduce(0, +)
    let squares = scores.reduce(0) { $0 + $1 * $1 }
    guard squares > 0, spread > 0, variance > 0 else { return nil }
    let statistic = score * score / squares
    let pValue = ChiSquaredDistribution(degreesOfFreedom: 1).above(statistic)
    guard pValue < 0.01 else { return nil }
    // x falls with distance.
    let grows = moment / spread < 0
    return Diagnostic(
      "non-constant-variance",
      "readings scatter \(grows ? "more" : "less") far away than near: one sigma does not hold for "
        + "all distances",
      value: statistic, pValue: pValue)
  }
}
