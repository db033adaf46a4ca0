package import Geometry
package import Support

/// A picture of a floor, as stored in its file, with the placement of its pixels.
package struct FloorPicture: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
  }

  package let kind: Kind
  package let bytes: [UInt8]
  /// The width in pixels.
  package let width: Int
  package let height: Int
  /// The place of the upper left corner.
  package let origin: Point
  /// The displacement per pixel to the right, in metres.
  package let right: Point
  /// The displacement per pixel downwards: pictures are scaled and rotated, not mirrored.
  package var down: Point { Point(x: right.y, y: -right.x) }

  /// The largest size of a picture file in bytes, because a page embeds all of it.
  package static let maximumLength = 8_000_000
  private static let sides = 1...20_000
  /// The largest area in pixels, because drawing takes 8 bytes per pixel.
  private static let largestArea = 50_000_000

  /// Reads the picture of a floor's plan.
  ///
  /// - Throws: `RSSIError` for a file that cannot be read, is neither PNG nor JPEG by its first
  ///   bytes, or is too large.
  package init(_ image: Site.Floor.Image) throws(RSSIError) {
    let bytes = try contents(ofFile: image.path, atMost: Self.maximumLength + 1)
    guard bytes.count <= Self.maximumLength else {
      throw RSSIError(
        .badInput, "the picture has more than \(Self.maximumLength) bytes", in: image.path,
        advice: "make it smaller: a page embeds all of it")
    }
    guard let (kind, width, height) = pngSize(bytes) ?? jpegSize(bytes),
      Self.sides.contains(width), Self.sides.contains(height)
    else {
      throw RSSIError(
        .badInput, "the picture of the floor must be a PNG or JPEG of 1 to 20,000 pixels per side",
        in: image.path, advice: "export it as PNG or JPEG")
    }
    guard width * height <= Self.largestArea else {
      throw RSSIError(
        .badInput,
        "the picture of the floor has \(width) x \(height) pixels, more than 50 million",
        in: image.path, advice: "scale it down: 5,000 pixels per side show every wall")
    }
    (self.kind, self.bytes, self.width, self.height) = (kind, bytes, width, height)
    switch image.placement {
    case .scale(let scale, let corner):
      right = Point(x: scale, y: 0)
      origin = Point(x: corner.x, y: corner.y + scale * Double(height))
    case .points(let pixels, let places):
      // As complex numbers with y upwards: place = origin + right × pixel.
      let (du, dv) = (pixels[1].x - pixels[0].x, pixels[0].y - pixels[1].y)
      let (dx, dy) = (places[1].x - places[0].x, places[1].y - places[0].y)
      let square = du * du + dv * dv
      right = Point(x: (dx * du + dy * dv) / square, y: (dy * du - dx * dv) / square)
      origin = Point(
        x: places[0].x - right.x * pixels[0].x - right.y * pixels[0].y,
        y: places[0].y - right.y * pixels[0].x + right.x * pixels[0].y)
    }
  }
}

private func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
  bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
}

/// Returns the size from the header of a PNG (W3C PNG specification, sections 5.2 and 11.2.1).
private func pngSize(_ bytes: [UInt8]) -> (FloorPicture.Kind, Int, Int)? {
  guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 24,
    bytes[12..<16].elementsEqual("IHDR".utf8)
  else { return nil }
  return (.png, number(bytes, 16, 4), number(bytes, 20, 4))
}

/// Returns the size from the frame header of a JPEG (ITU-T T.81, B.2.2).
private func jpegSize(_ bytes: [UInt8]) -> (FloorPicture.Kind, Int, Int)? {
  guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
  var place = 2
  while place + 9 <= bytes.count, bytes[place] == 0xFF {
    let marker = bytes[place + 1]
    if marker == 0xFF {
      place += 1
      continue
    }
    // TEM and the restart markers have no length.
    if marker == 0x01 || (0xD0...0xD7).contains(marker) {
      place += 2
      continue
    }
    // SOF0 to SOF15, without DHT, JPG and DAC, whose numbers are among theirs.
    if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
      return (.jpeg, number(bytes, place + 7, 2), number(bytes, place + 5, 2))
    }
    place += 2 + number(bytes, place + 2, 2)
  }
  return nil
}
