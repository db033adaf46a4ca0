import Advertising
import ArgumentParser
import LivePipelines
import Support

/// Where the receiver and the beacons are.
struct PositionOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Position of the receiver: x,y or x,y,z in metres.")
  var at: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "Position of a beacon: IDENTITY=x,y,z, or x,y,z of the only --beacon; repeatable.")
  var beaconAt: [String] = []

  @Option(help: "Note stored in the file.")
  var note = ""

  func set(_ request: inout RecordRequest) throws {
    request.labels.at = try at.map { try parsedPlace($0) }
    request.labels.beaconAt = try beaconAt.map {
      try beaconPlace($0, of: request.selection.beacons)
    }
    request.note = note
  }

  /// Reads `IDENTITY=x,y,z`, or a place alone where `--beacon` means one beacon only.
  private func beaconPlace(
    _ text: String, of patterns: [BeaconPattern]
  ) throws -> (String, RecordLabels.Place) {
    guard let equals = text.lastIndex(of: "=") else {
      guard patterns.count == 1, let identity = patterns[0].identity else {
        throw RSSIError(
          .usage,
          "--beacon-at \(text) does not name a beacon: write IDENTITY=\(text), or one --beacon "
            + "with major and minor"
        )
      }
      return (identity.description, try parsedPlace(text))
    }
    let name = String(text[..<equals])
    guard let identity = BeaconPattern(name)?.identity else {
      throw RSSIError(
        .usage, "\"\(name)\" is not one beacon: write it as `rssi export` prints it")
    }
    return (identity.description, try parsedPlace(String(text[text.index(after: equals)...])))
  }
}

/// What a user knows while capturing.
struct LabelOptions: ParsableArguments {
  @OptionGroup var places: PositionOptions

  @Option(parsing: .unconditional, help: "Distance of the beacons from the receiver, such as 2m.")
  var distance: String?

  @Option(help: "Pose of the device, such as upright.")
  var pose = ""

  @Option(help: "Name of the receiver (default: the source's).")
  var receiver: String?

  @Option(help: "Name of the trace (default: the file's).")
  var trace: String?

  func set(_ request: inout RecordRequest) throws {
    try places.set(&request)
    request.labels.distance = try distance.map { try parsedDistance($0) }
    request.labels.pose = pose
    (request.receiver, request.trace) = (receiver, trace)
  }
}
