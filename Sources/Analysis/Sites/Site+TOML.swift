import Geometry
package import Support

extension Site {
  /// Reads a site from the bytes of a TOML text.
  ///
  /// - Parameter path: what messages call it.
  /// - Throws: `RSSIError.badSite` that names the line: a site is small and must be right.
  package init(toml bytes: [UInt8], path: String) throws(RSSIError) {
    guard bytes.count <= Self.maximumFileLength else {
      throw .tooLong(path: path, limit: Self.maximumFileLength)
    }
    let text = try checkedText(bytes, path: path)
    let outline = try SiteOutline(bytes, path: path)
    let reading = SiteReading(
      root: try TOMLValue(text, path: path), outline: outline, path: path)
    try reading.requireKnownKeys()
    self.init()
    walls = try reading.walls()
    anchors = try reading.anchors()
    rooms = try reading.rooms()
    spots = try reading.spots()
    regions = try reading.regions()
    floors = try reading.floors()
    reference = try reading.reference()
  }
}

/// The text that bytes are, unless they are not UTF-8 or hold a zero byte, which no text of TOML has.
private func checkedText(_ bytes: [UInt8], path: String) throws(RSSIError) -> String {
  var bad = bytes.firstIndex(of: 0)
  let span = bytes.span
  do throws(UTF8.ValidationError) {
    _ = try UTF8Span(validating: span)
  } catch {
    bad = min(error.byteOffsets.lowerBound, bad ?? .max)
  }
  if let bad {
    let line = 1 + bytes[..<bad].count { $0 == UInt8(ascii: "\n") }
    throw .badSite(
      path: path, line: line, problem: "it has bytes that are no text; write the file as UTF-8")
  }
  return String(decoding: bytes, as: UTF8.self)
}
