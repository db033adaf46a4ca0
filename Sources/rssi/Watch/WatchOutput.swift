import Proximity

/// Where what a watch finds goes: lines, a table, a screen.
protocol WatchOutput {
  /// Something changed.
  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws

  /// A period is over.
  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon) throws

  /// How the search for a beacon goes; once a period.
  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws

  /// Does what is due by the wall clock; false when somebody wants to end the watch.
  mutating func tick() throws -> Bool

  /// Whether rangings are wanted: computing them costs something for thousands of beacons.
  var wantsRangings: Bool { get }

  mutating func finish() throws
}

extension WatchOutput {
  mutating func tick() throws -> Bool { true }
  mutating func finish() throws {}
}

/// One JSON object a line on standard output.
struct LineOutput: WatchOutput {
  let wantsRangings: Bool
  private var said = SaidTrends()

  init(wantsRangings: Bool) { self.wantsRangings = wantsRangings }

  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws {
    try StandardOutput.write(EventLine(event, of: beacon, region: region).finished())
  }

  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    for ranging in rangings {
      let line = EventLine(ranging, region: regions[ranging.region].name, trace: trace, beacon)
      try StandardOutput.write(line.finished())
    }
  }
}

extension LineOutput {
  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    guard said.isNew(seek, of: beacon) || wantsRangings else { return }
    try StandardOutput.write(EventLine(seek, of: beacon).finished())
  }
}
