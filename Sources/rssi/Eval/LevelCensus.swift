import PathLoss

/// How often each level was heard on each link of a recording: what tells whether two recordings
/// are one, whatever their files, formats and names are.
struct LevelCensus: Equatable {
  /// By beacon and receiver, how often each whole level from 0 to -127 dBm was heard.
  private var links: [[String]: [Int]] = [:]
  private(set) var readings = 0

  /// Recordings with fewer readings than this are like many others.
  private static let fewest = 20

  mutating func add(beacon: String, receiver: String, level: Double, count: Int = 1) {
    guard level <= 0, level > -128, count > 0 else { return }
    links[[beacon, receiver], default: Array(repeating: 0, count: 128)][Int(-level)] += count
    readings += count
  }

  /// Whether all of this, but for one reading in a thousand, is also in the other.
  func isPart(of other: LevelCensus) -> Bool {
    guard readings >= Self.fewest, other.readings >= readings - readings / 1000 else {
      return false
    }
    var missing = 0
    for (link, counts) in links {
      let others = other.links[link]
      for (level, count) in counts.enumerated() { missing += max(0, count - (others?[level] ?? 0)) }
      if missing > readings / 1000 { return false }
    }
    return true
  }
}

extension Calibration {
  /// What was fitted of each series; nil where the levels were not the raw ones.
  var censuses: [LevelCensus]? {
    guard settings.filtered == nil, settings.perPosition == "samples", !stations.isEmpty else {
      return nil
    }
    var series: [String: LevelCensus] = [:]
    for station in stations {
      for level in station.levels {
        series[station.series, default: LevelCensus()].add(
          beacon: station.beacon, receiver: station.receiver, level: level.level, count: level.count
        )
      }
    }
    return Array(series.values)
  }
}
