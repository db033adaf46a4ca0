import Advertising
import ArgumentParser
import LivePipelines
import Registries
import Support

/// The positions of the receiver and the beacons.
struct PositionOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Position of the receiver: x,y or x,y,z in metres.", valueName: "x,y[,z]"))
  var at: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Position of a beacon: IDENTITY=x,y,z or NAME=x,y,z, or x,y,z of the only --beacon; repeatable.",
      valueName: "[beacon=]x,y,z"))
  var beaconAt: [String] = []

  @Option(
    help: ArgumentHelp(
      "Room of the receiver, or of a beacon as IDENTITY=ROOM or NAME=ROOM, for `rssi rooms train`; repeatable.",
      valueName: "[beacon=]room"))
  var room: [String] = []

  @Option(help: ArgumentHelp("Note stored in the file.", valueName: "text"))
  var note = ""

  /// - Parameter registry: gives the names that `--beacon-at` may use.
  func set(_ request: inout CaptureRequest, _ registry: Registry) throws {
    request.labels.at = try at.map { try parsedPlace($0) }
    request.labels.beaconAt = try beaconAt.map {
      try beaconPlace($0, of: request.selection.beacons, registry)
    }
    request.labels.rooms = try room.map { try roomLabel($0, registry) }
    request.note = note
  }

  /// Reads `ROOM`, `IDENTITY=ROOM` or `NAME=ROOM`.
  private func roomLabel(
    _ text: String, _ registry: Registry
  ) throws -> (node: String, room: String) {
    guard let equals = text.lastIndex(of: "=") else { return ("", text) }
    let (name, room) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
    guard let identity = try oneBeacon(name, of: "room", in: registry).identity, !room.isEmpty
    else {
      throw RSSIError(
        .usage, "--room \(text): expected BEACON=ROOM with a whole identity or a name")
    }
    return (identity.description, room)
  }

  /// Reads `IDENTITY=x,y,z`, or a place alone where `--beacon` means one beacon only.
  private func beaconPlace(
    _ text: String, of patterns: [BeaconPattern], _ registry: Registry
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
    guard let identity = try oneBeacon(name, of: "beaconAt", in: registry).identity else {
      throw RSSIError(
        .usage,
        "--beacon-at \(text): \(name) is not in the registry: write a whole identity")
    }
    return (identity.description, try parsedPlace(String(text[text.index(after: equals)...])))
  }
}

/// The constant distance of the beacons from the receiver.
struct StandingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Distance of the beacons from the receiver, such as 2m.", valueName: "metres"))
  var distance: String?

  @Option(help: ArgumentHelp("Pose of the device, such as upright.", valueName: "name"))
  var pose = ""

  /// The distance in metres; nil if it is not given.
  func metres() throws -> Double? { try distance.map { try parsedDistance($0) } }
}

/// The ground truth that a user knows while capturing.
struct LabelOptions: ParsableArguments {
  @OptionGroup var places: PositionOptions
  @OptionGroup var standing: StandingOptions

  @Option(help: ArgumentHelp("Name of the receiver (default: the source's).", valueName: "name"))
  var receiver: String?

  @Option(help: ArgumentHelp("Name of the trace (default: the file's).", valueName: "name"))
  var trace: String?

  func set(_ request: inout CaptureRequest, _ registry: Registry) throws {
    try places.set(&request, registry)
    request.labels.distance = try standing.metres()
    request.labels.pose = standing.pose
    (request.receiver, request.trace) = (receiver, trace)
  }
}
