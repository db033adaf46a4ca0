import ArgumentParser
import Registries
import Support
import TracePipelines

/// Which link a picture of filters shows.
struct PicturedLink: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Plot the filtered levels of one link to this file: .svg, .png or .pdf.", valueName: "file"),
    completion: .file())
  var picture: String?

  @Option(
    help: ArgumentHelp(
      "Beacon to plot: an identity or a name (default: the link with the most sightings).",
      valueName: "beacon"))
  var pictureBeacon: String?

  @Option(help: ArgumentHelp("Receiver to plot.", valueName: "name"))
  var pictureReceiver: String?

  /// Whether nothing is asked for.
  var isEmpty: Bool { picture == nil && pictureBeacon == nil && pictureReceiver == nil }

  /// The beacon that is asked for, as recordings call it.
  func names(_ registry: Registry) throws -> [String] {
    try [pictureBeacon].compactMap(\.self).map { try nodeID($0, of: "pictureBeacon", in: registry) }
  }

  /// The number of the link in the table.
  ///
  /// - Parameter registry: gives the names that `--picture-beacon` may use.
  func choose(from comparison: FilterComparison, _ registry: Registry) throws -> Int {
    guard
      let link = try comparison.busiestLink(
        beacon: names(registry).first, receiver: pictureReceiver)
    else {
      throw RSSIError(
        .usage,
        "no sighting is of the link that --picture-beacon and --picture-receiver name: `rssi info` "
          + "lists them"
      )
    }
    return link
  }
}
