import ArgumentParser
import Support

/// What is known of the place.
struct PlaceOptions: ParsableArguments {
  @Option(help: "A site file (TOML): walls, rooms, spots, anchors.")
  var site: String?

  @Option(
    help:
      "CSV of beacons and receivers with the places of the fixed ones, where the traces do not tell them."
  )
  var nodes: String?

  @Option(
    parsing: .unconditional,
    help:
      "Where positions are looked for: XMIN,YMIN,XMAX,YMAX in metres (default: the site's rooms and walls, or the anchors with a margin)."
  )
  var bounds: BoundsArgument?

  @Option(help: "2: the place in the plane; 3: the height too.")
  var dimensions = 2

  @Option(
    parsing: .unconditional,
    help:
      "The nodes' height in metres, where only the plane is asked (default: that of the anchors).")
  var height: Double?

  @Option(
    help: "A trace with truth to learn the site from, for algorithms that do; may be repeated.")
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
