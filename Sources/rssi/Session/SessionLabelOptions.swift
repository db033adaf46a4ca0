import ArgumentParser
import LivePipelines
import Registries

/// What a user knows of a member's place and of the beacons.
struct SessionLabelOptions: ParsableArguments {
  @OptionGroup var places: PositionOptions

  @Option(
    help: ArgumentHelp(
      "Name of the trace, the same for members whose levels belong together (default: the lobby's).",
      valueName: "name"))
  var trace: String?

  func set(_ request: inout RecordRequest, _ registry: Registry) throws {
    try places.set(&request, registry)
    request.trace = trace
  }
}
