import RealModule

/// The readings that each position contributes to a fit.
public enum PositionReduction: String, CaseIterable, Codable, Sendable {
  /// Every reading; a position has the weight that the variance of its mean gives it.
  case samples
  /// One reading, the mean of the levels.
  case mean
  /// One reading, the median of the levels.
  case median
  /// Every reading with the same weight, as in ordinary least squares over packets.
  case packets

  /// A Boolean value that is true if a position contributes one number.
  package var isOneNumber: Bool { self == .mean || self == .median }

  /// Returns the stations after this reduction: one station per position, at the mean of the log
  /// distances.
  ///
  /// - Parameter stations: The stations of one group.
  package func reduce(_ stations: [Station]) -> [Station] {
    guard isOneNumber else { return stations }
    var order: [UInt64] = []
    var members: [UInt64: [Station]] = [:]
    for station in stations.sorted(by: Station.precedes) {
      if members[station.position] == nil { order.append(station.position) }
      members[station.position, default: []].append(station)
    }
    return order.compactMap { members[$0] }.map(one)
  }

  private func one(_ stations: [Station]) -> Station {
    var result = stations[0]
    let levels = LevelCount.merged(stations.flatMap(\.levels))
    let count = Double(levels.reduce(0) { $0 + $1.count })
    let level =
      self == .mean
      ? levels.reduce(0) { $0 + Double($1.count) * $1.level } / count : Self.median(levels)
    if stations.count > 1 {
      let logs = stations.reduce(0) { $0 + Double($1.samples) * Double.log10($1.distance) }
      result.distance = Double.exp10(logs / count)
      if stations.contains(where: { $0.cell != result.cell }) { result.cell = nil }
      // A position shared by several stations has no single number of walls.
      if stations.contains(where: { $0.walls != result.walls || $0.knownLoss != result.knownLoss })
      {
        result.walls = nil
      }
    }
    result.levels = [LevelCount(level: level, count: 1)]
    result.succession = Succession()
    return result
  }

  /// Returns the median; the mean of the two middle values if there is no single one.
  private static func median(_ levels: [LevelCount]) -> Double {
    let total = levels.reduce(0) { $0 + $1.count }
    func nth(_ rank: Int) -> Double {
      var passed = 0
      for one in levels {
        passed += one.count
        if passed > rank { return one.level }
      }
      return levels[levels.count - 1].level
    }
    return (nth((total - 1) / 2) + nth(total / 2)) / 2
  }
}
