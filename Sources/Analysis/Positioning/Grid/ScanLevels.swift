import Geometry
import RealModule

/// The levels of scans with the indices of their tables, as grid algorithms need them.
struct ScanLevels {
  /// A level of one anchor at a time.
  struct Level {
    var time: Int64
    var table: Int
    /// The logarithm of the slant range in metres.
    var logRange: Double
    var packets: Int
  }

  let anchors: [Anchor]
  /// The instant of the previous scan; nothing of a later scan counts as received before it.
  private var previous = Int64.min

  init(anchors: [Anchor]) { self.anchors = anchors }

  /// Returns the levels of a scan, in order of time and within the scan's own time.
  ///
  /// These are its readings or, without readings, its observations at its instant. If one of them
  /// is implausible, the result has no levels and is not valid.
  mutating func levels(of scan: Scan, tables: inout GridLevels) -> (levels: [Level], isValid: Bool)
  {
    defer { previous = scan.instant }
    var levels: [Level] = []
    let earliest = previous == Int64.min ? previous : min(previous + 1, scan.instant)
    guard scan.observations.allSatisfy(\.isValid) else { return ([], false) }
    if scan.readings.isEmpty || anchors.isEmpty {
      for observation in scan.observations {
        levels.append(
          Level(
            time: scan.instant, table: tables.number(of: observation),
            logRange: Double.log(observation.slantRange), packets: observation.packets))
      }
      return (levels, true)
    }
    for reading in scan.readings {
      guard anchors.indices.contains(reading.anchor) else { return ([], false) }
      let observation = Observation(
        anchors[reading.anchor], number: reading.anchor, rssi: reading.rssi)
      guard observation.isValid else { return ([], false) }
      levels.append(
        Level(
          time: min(max(reading.time, earliest), scan.instant), table: reading.anchor,
          logRange: Double.log(observation.slantRange), packets: reading.packets))
    }
    return (levels.sorted { $0.time < $1.time }, true)
  }
}
