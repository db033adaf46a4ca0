import ArgumentParser
import Geometry
import Positioning
import Support

/// The site file, the search area and the number of dimensions.
struct SiteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Site file (TOML): walls, rooms, spots, and anchors whose positions are missing from the traces.",
      valueName: "file"), completion: .file())
  var site: SitePath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Search area XMIN,YMIN,XMAX,YMAX in metres (default: the site's rooms and walls, or the anchors with a margin).",
      valueName: "xmin,ymin,xmax,ymax"), transform: parsedBounds)
  var bounds: Bounds?

  @Option(
    help: ArgumentHelp("2: positions in the plane; 3: positions and heights.", valueName: "2|3"))
  var dimensions = 2

  /// - Throws: `RSSIError` for another number of dimensions than two or three.
  func shape() throws -> Surroundings.Dimensions { try dimensionsOfPositions(dimensions) }
}

/// - Throws: `RSSIError` for another number of dimensions than two or three.
func dimensionsOfPositions(_ number: Int) throws -> Surroundings.Dimensions {
  guard let shape = Surroundings.Dimensions(rawValue: number) else {
    throw RSSIError(.usage, "--dimensions \(number): write 2 or 3")
  }
  return shape
}

/// Reads a rectangle written as four numbers with commas.
private func parsedBounds(_ text: String) throws -> Bounds {
  let words = text.split(separator: ",", omittingEmptySubsequences: false)
  guard words.count == 4 else {
    throw RSSIError(.usage, "write four numbers with commas between them, this has \(words.count)")
  }
  let numbers = try words.map { word in
    guard let number = Double(word), abs(number) <= 1e6 else {
      throw RSSIError(.usage, "\"\(word)\" is not a number of metres up to 1000000")
    }
    return number
  }
  guard numbers[0] < numbers[2], numbers[1] < numbers[3] else {
    throw RSSIError(.usage, "XMIN must be below XMAX, and YMIN below YMAX")
  }
  return Bounds(
    minimum: Point(x: numbers[0], y: numbers[1]), maximum: Point(x: numbers[2], y: numbers[3]))
}
