import ArgumentParser
import Evaluation
import Sightings
import Support

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
  func choose(among trace: ComparedTrace, _ catalogue: Catalogue) throws -> Int {
    var counts = Array(repeating: 0, count: trace.keys.count)
    for link in trace.table.link { counts[Int(link)] += 1 }
    let links = trace.keys.indices.filter { link in
      let key = trace.keys[link]
      return pictureBeacon.map { $0 == catalogue.beacons[Int(key.beacon)].id } ?? true
        && pictureReceiver.map { $0 == catalogue.receivers[Int(key.receiver)].id } ?? true
    }
    guard let link = links.max(by: { (counts[$0], $1) < (counts[$1], $0) }) else {
      throw RSSIError(
        .usage,
        "no sighting is of the link that --picture-beacon and --picture-receiver name: `rssi info` "
          + "lists them"
      )
    }
    return link
  }
}
