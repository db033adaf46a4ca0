package import LivePipelines
package import Proximity

/// An output whose events are also sent to a program.
package struct ProgrammedOutput: WatchOutput {
  private var base: any WatchOutput
  private let program: EventProgram
  private var trends = ReportedTrends()

  package init(_ base: any WatchOutput, program: EventProgram) {
    (self.base, self.program) = (base, program)
  }

  package var wantsRangings: Bool { base.wantsRangings }
  package var isPaused: Bool { base.isPaused }

  package mutating func take(
    _ event: ProximityEvent, of beacon: WatchedBeacon, region: String?
  ) throws {
    try base.take(event, of: beacon, region: region)
    program.take(EventLine(event, of: beacon, region: region).text)
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    try base.take(rangings, of: trace, regions: regions, at: time, beacon)
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    try base.take(seek, of: beacon)
    guard trends.isNew(seek, of: beacon) else { return }
    program.take(EventLine(seek, of: beacon).text)
  }

  package mutating func tick() throws -> Bool { try base.tick() }

  package mutating func finish() throws {
    try base.finish()
    program.finish()
  }
}
