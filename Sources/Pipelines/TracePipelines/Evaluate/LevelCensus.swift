import Inputs
import PathLoss
import TraceStore

/// How often each level was heard on each link of a recording: what shows whether two recordings
/// are one, whatever their files, formats and names are.
package struct LevelCensus: Equatable {
  /// By beacon and receiver, how often each whole level from 0 to -127 dBm was heard.
  private var links: [[String]: [Int]] = [:]
  private var readings = 0

  /// Recordings with fewer readings than this are like many others.
  private static let fewest = 20

  package init() {}

  package mutating func add(beacon: String, receiver: String, level: Double, count: Int = 1) {
    guard level <= 0, level > -128, count > 0 else { return }
    links[[beacon, receiver], default: Array(repeating: 0, count: 128)][Int(-level)] += count
    readings += count
  }

  /// Whether all of this, but for one reading in a thousand, is also in the other.
  package func isPart(of other: LevelCensus) -> Bool {
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

/// The readings that a calibration was fitted on, to find out whether a target's are among them.
struct FittedReadings {
  private let calibration: Calibration
  /// Of each series; nil where the levels were not the raw ones.
  private let censuses: [LevelCensus]?

  init(_ calibration: Calibration) {
    self.calibration = calibration
    guard calibration.settings.filtered == nil,
      calibration.settings.perPosition == PositionReduction.samples.rawValue,
      !calibration.stations.isEmpty
    else {
      censuses = nil
      return
    }
    var series: [String: LevelCensus] = [:]
    for station in calibration.stations {
      for level in station.levels {
        series[station.series, default: LevelCensus()].add(
          beacon: station.beacon, receiver: station.receiver, level: level.level, count: level.count
        )
      }
    }
    censuses = Array(series.values)
  }

  /// Whether the calibration was fitted on a target's readings, or may have been.
  ///
  /// Raw readings are compared by how often each level was heard on each link. Where others were
  /// fitted, as those of a filter, a file of the same bytes and a series of the trace's name count.
  func mayHold(_ target: AskedTarget, of reader: TraceReader) -> Bool {
    if let censuses { return censuses.contains { $0.isPart(of: target.census) } }
    let fitted = Set(calibration.inputs.map(\.sha256))
    guard reader.sources.contains(where: { fitted.contains($0.sha256) }) else { return false }
    return calibration.stations.isEmpty
      || calibration.stations.contains { $0.series == target.trace }
  }
}
