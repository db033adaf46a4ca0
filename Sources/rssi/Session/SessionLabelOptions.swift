import Advertising
import ArgumentParser
import Support

/// What a person knows of a member's place and of the beacons.
struct SessionLabelOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Position of the receiver: x,y or x,y,z in metres.")
  var at: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "Position of a beacon: IDENTITY=x,y,z, or x,y,z of the only --beacon; repeatable.")
  var beaconAt: [String] = []

  @Option(help: "Note stored in the file.")
  var note = ""

  @Option(
    help:
      "Name of the trace, the same for members whose levels belong together (default: the lobby's)."
  )
  var trace: String?

  func set(_ plan: inout CapturePlan, beacons: [BeaconPattern]) throws {
    plan.labels.receiver = try at.map { try Labels.place($0) }
    plan.labels.beacons = try beaconAt.map { try Labels.beaconPlace($0, of: beacons) }
    if let trace,
      !(1...128).contains(trace.utf8.count) || trace.utf8.contains(where: { $0 < 0x20 })
    {
      throw RSSIError(
        .usage,
        "--trace \"\(trace)\" is not 1 to 128 bytes without control characters: write another")
    }
    (plan.traceName, plan.note) = (trace, note)
    if case .mqtt = plan.source, at != nil {
      throw RSSIError(
        .usage, "--at is of one receiver, but each gateway is one: leave it out")
    }
  }
}
