package import LivePipelines
package import Proximity
package import Support

/// Writes each finding of a watch as one JSON object a line.
package struct LineOutput: WatchOutput {
  package let wantsRangings: Bool
  private let lines: any LineWriter
  private var trends = ReportedTrends()

  /// - Parameter lists: whether to list the beacons of each region periodically.
  package init(_ lines: any LineWriter, lists: Bool) {
    (self.lines, wantsRangings) = (lines, lists)
  }

  package mutating func take(
    _ event: ProximityEvent, of beacon: WatchedBeacon, region: String?
  ) throws {
    try lines.write(EventLine(event, of: beacon, region: region).text)
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    for ranging in rangings {
      let line = EventLine(ranging, region: regions[ranging.region].name, trace: trace, beacon)
      try lines.write(line.text)
    }
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    guard trends.isNew(seek, of: beacon) || wantsRangings else { return }
    try lines.write(EventLine(seek, of: beacon).text)
  }

  package mutating func finish() throws { try lines.flush() }
}
