package import LivePipelines
package import Proximity

/// Sends events to a program that is run for each.
package struct ProgramOutput: WatchOutput {
  private let program: EventProgram
  private var trends = ReportedTrends()

  package init(_ program: EventProgram) { self.program = program }

  package var wantsRangings: Bool { false }

  package mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    program.take(EventLine(event, of: beacon, region: region).text)
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) {}

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) {
    guard trends.isNew(seek, of: beacon) else { return }
    program.take(EventLine(seek, of: beacon).text)
  }

  package mutating func finish() { program.finish() }
}
