extension Diagnostic {
  /// Positions without which a constant would move by more than its standard error (DFBETAS of a
  /// cluster: Belsley, Kuh and Welsch, "Regression diagnostics", 1980, section 2.1); the worst
  /// three. Of fewer than ten positions each moves it.
  static func influentialPositions(
    _ residuals: Residuals, _ errors: FitUncertainty, _ group: PathLossGroup
  ) -> [Diagnostic] {
    guard group.errorBasis != .samples, group.positions >= 10,
      let exponentError = group.exponentError,
      exponentError > 0
    else { return [] }
    var worst: [(position: Int, change: Double)] = []
    for position in residuals.byPosition.indices {
      guard let moved = errors.influence(of: position), moved.count > 1 else { continue }
      if abs(moved[1]) > exponentError { worst.append((position, moved[1])) }
    }
    return worst.sorted { (abs($0.change), $1.position) > (abs($1.change), $0.position) }.prefix(3)
      .map { position, change in
        let name = residuals.name(of: position)
        return Diagnostic(
          "influential-position",
          "without \(name) the exponent would be \(shown((group.exponent ?? 0) - change)): look at "
            + "it",
          value: -change)
      }
  }
}

extension Diagnostic {
  /// A position whose packets determine most of a constant, so that it is known from little more
  /// than one place. Stated where others of at least four positions have far fewer packets.
  static func dominantPosition(_ residuals: Residuals, _ errors: FitUncertainty) -> Diagnostic? {
    let counts = residuals.byPosition.map(\.count)
    guard counts.count >= 4, let (position, share) = errors.largestShare, share > 0.7,
      counts[position] > 3 * residuals.all.count / Double(counts.count)
    else { return nil }
    return Diagnostic(
      "dominant-position",
      "\(residuals.name(of: position)) alone has \(shown(100 * share, 0)) % of what determines a "
        + "constant, for its many packets: give each position one mean",
      value: share)
  }
}

extension Residuals {
  /// A position in words: its link and distance.
  func name(of position: Int) -> String {
    guard let index = observations.cluster.firstIndex(of: position) else { return "a position" }
    let station = stations[index]
    let isWalk = observations.cluster.count { $0 == position } > 1
    let link = "\(station.beacon) at \(station.receiver)"
    return isWalk
      ? "\(link) in \(station.series)" : "\(link), \(shown(station.distance)) m (\(station.series))"
  }
}
