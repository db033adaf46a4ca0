/// Packets far weaker than a receiver's others, with corrupted levels.
///
/// One of them hides missing packets, because it appears to be the weakest that the receiver can
/// receive.
enum StrayPackets {
  /// Returns the stations without levels below their receivers' sensitivities, with the number of
  /// removed packets.
  ///
  /// - Parameter sensitivity: The sensitivity by receiver, in dBm.
  /// - Returns: The stations, or `nil` if there are no such packets, or more than 1 % of a
  ///   receiver's packets, which means that the sensitivity is wrong.
  static func leftOut(
    of stations: [Station], below sensitivity: [String: Double]
  ) -> (stations: [Station], count: Int)? {
    var counts: [String: (below: Int, all: Int)] = [:]
    for station in stations {
      let edge = sensitivity[station.receiver] ?? -.infinity
      for one in station.levels {
        counts[station.receiver, default: (0, 0)].all += one.count
        if one.level < edge { counts[station.receiver, default: (0, 0)].below += one.count }
      }
    }
    let stray = counts.filter { $0.value.below > 0 && $0.value.below * 100 <= $0.value.all }
    guard !stray.isEmpty else { return nil }
    let kept = stations.map { station -> Station in
      guard stray[station.receiver] != nil, let edge = sensitivity[station.receiver] else {
        return station
      }
      var station = station
      station.levels.removeAll { $0.level < edge }
      return station
    }
    return (kept.filter { !$0.levels.isEmpty }, stray.values.reduce(0) { $0 + $1.below })
  }

  /// Returns the weakest packet of a receiver, if it is a single one at least 5 dB below the next.
  static func weakest(of stations: [Station]) -> (receiver: String, level: Double, next: Double)? {
    var levels: [String: [Double: Int]] = [:]
    for station in stations {
      for one in station.levels {
        levels[station.receiver, default: [:]][one.level, default: 0] += one.count
      }
    }
    for (receiver, counts) in levels.sorted(by: { $0.key < $1.key }) {
      let sorted = counts.sorted { $0.key < $1.key }
      guard sorted.count > 1, sorted[0].value == 1, counts.values.reduce(0, +) >= 100,
        sorted[1].key - sorted[0].key >= 5
      else { continue }
      return (receiver, sorted[0].key, sorted[1].key)
    }
    return nil
  }
}
