import Advertising
import ArgumentParser
import Support

/// What a person knows while capturing.
struct LabelOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Position of the receiver: x,y or x,y,z in metres.")
  var at: String?

  @Option(parsing: .unconditional, help: "Distance of the beacons from the receiver, such as 2m.")
  var distance: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "Position of a beacon: IDENTITY=x,y,z, or x,y,z of the only --beacon; repeatable.")
  var beaconAt: [String] = []

  @Option(help: "Pose of the device, such as upright.")
  var pose = ""

  @Option(help: "Note stored in the file.")
  var note = ""

  @Option(help: "Name of the receiver (default: the source's).")
  var receiver: String?

  @Option(help: "Name of the trace (default: the file's).")
  var trace: String?

  func labels(beacons: [BeaconPattern]) throws -> Labels {
    var labels = Labels()
    labels.receiver = try at.map { try Labels.place($0) }
    labels.distance = try distance.map { try Labels.distance($0) }
    labels.beacons = try beaconAt.map { try Labels.beaconPlace($0, of: beacons) }
    labels.pose = pose
    for (name, text, width) in [
      ("--pose", pose, 64), ("--receiver", receiver ?? "", 128), ("--trace", trace ?? "", 128),
    ]
    where text.utf8.count > width || text.utf8.contains(where: { $0 < 0x20 }) {
      throw RSSIError(
        .usage,
        "\(name) \"\(text)\" is longer than \(width) bytes or has control characters: write another"
      )
    }
    for (name, text) in [("--receiver", receiver), ("--trace", trace)] where text?.isEmpty == true {
      throw RSSIError(.usage, "\(name) is empty: give a name, or leave it out")
    }
    return labels
  }
}
