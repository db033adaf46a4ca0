import ArgumentParser
import Support

/// What is known of the place.
struct PlaceOptions: ParsableArguments {
  @Option(help: "Site file (TOML): walls, rooms, spots, anchors.")
  var site: String?

  @Option(
    help:
      "CSV file of beacons and receivers, with positions of the fixed ones that are missing from the traces."
  )
  var nodes: String?

  @Option(
    parsing: .unconditional,
    help:
      "Search area XMIN,YMIN,XMAX,YMAX in metres (default: the site's rooms and walls, or the anchors with a margin)."
  )
  var bounds: BoundsArgument?

  @Option(help: "2: positions in the plane; 3: positions and heights.")
  var dimensions = 2

  @Option(
    parsing: .unconditional,
    help:
      "Height of the nodes in metres, with 2 dimensions (default: that of the anchors).")
  var height: Double?

  @Option(
    help: "Trace with truth that algorithms learn the site from; repeatable.")
  var survey: [String] = []

  /// - Throws: `RSSIError` for what is not written as it should be.
  func check() throws {
    guard dimensions == 2 || dimensions == 3 else {
      throw RSSIError(.usage, "--dimensions \(dimensions): write 2 or 3")
    }
    if let height {
      guard abs(height) <= 1e6 else {
        throw RSSIError(.usage, "--height \(height): write metres")
      }
      guard dimensions == 2 else {
        throw RSSIError(
          .usage,
          "--height and --dimensions 3 do not go together: a height is known, or asked")
      }
    }
  }
}
