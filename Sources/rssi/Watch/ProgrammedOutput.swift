import Proximity

/// An output whose events are also handed to a program.
struct ProgrammedOutput<Base: WatchOutput>: WatchOutput {
  var base: Base
  let program: EventProgram
  private var said = SaidTrends()

  init(_ base: Base, program: EventProgram) {
    self.base = base
    self.program = program
  }

  var wantsRangings: Bool { base.wantsRangings }

  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws {
    try base.take(event, of: beacon, region: region)
    program.take(EventLine(event, of: beacon, region: region).finished())
  }

  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    try base.take(rangings, of: trace, regions: regions, at: time, beacon)
  }

  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    try base.take(seek, of: beacon)
    guard said.isNew(seek, of: beacon) else { return }
    program.take(EventLine(seek, of: beacon).finished())
  }

  mutating func tick() throws -> Bool { try base.tick() }

  mutating func finish() throws {
    try base.finish()
    try StandardOutput.flush()
    program.finish()
  }
}
