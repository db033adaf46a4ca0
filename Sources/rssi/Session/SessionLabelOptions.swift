import ArgumentParser
import LivePipelines

/// What a user knows of a member's place and of the beacons.
struct SessionLabelOptions: ParsableArguments {
  @OptionGroup var places: PositionOptions

  @Option(
    help:
      "Name of the trace, the same for members whose levels belong together (default: the lobby's)."
  )
  var trace: String?

  func set(_ request: inout RecordRequest) throws {
    try places.set(&request)
    request.trace = trace
  }
}
