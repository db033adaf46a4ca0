import ArgumentParser
import Geometry
import Positioning
import Support

/// The site file, and where and in how many dimensions positions are looked for.
struct SiteOptions: ParsableArguments {
  @Option(
    help:
      "Site file (TOML): walls, rooms, spots, and anchors whose positions are missing from the traces."
  )
  var site: String?

  @Option(
    parsing: .unconditional,
    help:
      "Search area XMIN,YMIN,XMAX,YMAX in metres (default: the site's rooms and walls, or the anchors with a margin)."
  )
  var bounds: BoundsArgument?

  @Option(help: "2: positions in the plane; 3: positions and heights.")
  var dimensions = 2

  /// - Throws: `RSSIError` for another number of dimensions than two or three.
  func shape() throws -> Surroundings.Dimensions {
    guard let shape = Surroundings.Dimensions(rawValue: dimensions) else {
      throw RSSIError(.usage, "--dimensions \(dimensions): write 2 or 3")
    }
    return shape
  }
}

/// A rectangle as four numbers with commas.
struct BoundsArgument: ExpressibleByArgument {
  let bounds: Bounds

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0) }
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) <= 1e6 }), numbers[0] < numbers[2],
      numbers[1] < numbers[3]
    else { return nil }
    bounds = Bounds(
      minimum: Point(x: numbers[0], y: numbers[1]), maximum: Point(x: numbers[2], y: numbers[3]))
  }
}

/// The nanoseconds of an option's time.
///
/// - Throws: `RSSIError` for a text that is not a time.
func nanoseconds(_ text: String, of option: String, such examples: String) throws -> Int64 {
  guard let time = duration(text) else {
    throw RSSIError(.usage, "\(option) \(text): write a time \(examples)")
  }
  return time
}
