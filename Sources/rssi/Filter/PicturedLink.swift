import ArgumentParser
import Support
import TracePipelines

/// Which link a picture of filters shows.
struct PicturedLink: ParsableArguments {
  @Option(help: "Plot the filtered levels of one link to this file: .svg, .png or .pdf.")
  var picture: String?

  @Option(help: "Beacon to plot (default: the link with the most sightings).")
  var pictureBeacon: String?

  @Option(help: "Receiver to plot.")
  var pictureReceiver: String?

  /// Whether nothing is asked for.
  var isEmpty: Bool { picture == nil && pictureBeacon == nil && pictureReceiver == nil }

  /// The number of the link in the table.
  func choose(from comparison: FilterComparison) throws -> Int {
    guard let link = comparison.busiestLink(beacon: pictureBeacon, receiver: pictureReceiver) else {
      throw RSSIError(
        .usage,
        "no sighting is of the link that --picture-beacon and --picture-receiver name: `rssi info` "
          + "lists them"
      )
    }
    return link
  }
}
