import Foundation
import Geometry
import Sites
import Support
import TestSupport
import Testing

@Suite("The picture of a floor")
struct FloorPictureTests {
  private let scratch: TemporaryDirectory

  init() throws { scratch = try TemporaryDirectory() }

  private func picture(
    _ name: String,
    _ placement: Site.Floor.Image.Placement = .scale(0.02, origin: Point(x: 0, y: 0))
  ) throws -> FloorPicture {
    try FloorPicture(Site.Floor.Image(path: scratch.path(name), placement: placement))
  }

  /// Pictures as another program writes them.
  private func makePictures() throws {
    let result = try runPython(
      """
      import sys
      from PIL import Image
      folder = sys.argv[1]
      Image.new("RGB", (640, 333)).save(folder + "/a.png")
      Image.new("L", (77, 1200)).save(folder + "/b.jpg")
      Image.new("RGB", (77, 1200)).save(folder + "/c.jpg", progressive=True, dpi=(72, 72),
                                        comment=b"x" * 3000, exif=Image.Exif().tobytes())
      Image.new("RGB", (20, 20)).save(folder + "/d.gif")
      """, [scratch.url.path])
    try #require(result.exitCode == 0, "\(result.error)")
  }

  @Test func `the size is that of other programs`() throws {
    try makePictures()
    for (name, kind, width, height) in [
      ("a.png", FloorPicture.Kind.png, 640, 333), ("b.jpg", .jpeg, 77, 1200),
      ("c.jpg", .jpeg, 77, 1200),
    ] {
      let picture = try picture(name)
      #expect(picture.kind == kind && picture.width == width && picture.height == height)
    }
  }

  @Test func `refuses anything but a picture`() throws {
    try makePictures()
    _ = try scratch.write("<svg xmlns='http://www.w3.org/2000/svg'/>", to: "e.svg")
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF]).write(to: scratch.url.appending(path: "f.jpg"))
    try Data(count: FloorPicture.maximumLength + 1).write(to: scratch.url.appending(path: "g.png"))
    for name in ["d.gif", "e.svg", "f.jpg", "g.png", "missing.png", "."] {
      #expect(throws: RSSIError.self, "\(name)") { try picture(name) }
    }
  }

  @Test(arguments: [
    (10_000, 5_000, true), (10_000, 5_001, false), (20_000, 15_000, false), (20_000, 2_500, true),
    (2_501, 20_000, false), (20_001, 1, false),
  ])
  func `the area is limited`(width: Int, height: Int, isTaken: Bool) throws {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(number >> (8 * $0) & 255) }
    }
    // Headers alone: reading the size does not decompress the picture.
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + bytes(width, 4) + bytes(height, 4) + [8, 6, 0, 0, 0]
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0x01, 0xFF, 0xD0, 0xFF, 0xC2, 0, 17, 8] + bytes(height, 2)
      + bytes(width, 2) + [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for (name, file) in [("big.png", png), ("big.jpg", jpeg)] {
      try Data(file).write(to: scratch.url.appending(path: name))
      if isTaken {
        #expect(try picture(name).width == width)
      } else {
        #expect(throws: RSSIError.self) { try picture(name) }
      }
    }
  }

  @Test func `every beginning of a picture is taken or refused`() throws {
    try makePictures()
    for name in ["a.png", "c.jpg"] {
      let whole = try Data(contentsOf: scratch.url.appending(path: name))
      for length in stride(from: 0, to: min(whole.count, 4000), by: 7) {
        try whole.prefix(length).write(to: scratch.url.appending(path: "part"))
        _ = try? picture("part")
      }
    }
  }

  private func place(_ picture: FloorPicture, _ u: Double, _ v: Double) -> Point {
    Point(
      x: picture.origin.x + picture.right.x * u + picture.down.x * v,
      y: picture.origin.y + picture.right.y * u + picture.down.y * v)
  }

  @Test func `a scale and a lower left corner place it`() throws {
    try makePictures()
    let picture = try picture("a.png", .scale(0.1, origin: Point(x: -2, y: 5)))
    let corner = place(picture, 0, 333)
    #expect(abs(corner.x + 2) < 1e-12 && abs(corner.y - 5) < 1e-12)
    let other = place(picture, 640, 0)
    #expect(abs(other.x - 62) < 1e-12 && abs(other.y - 38.3) < 1e-12)
  }

  @Test(arguments: [0.0, 30, 90, 200])
  func `two points scale and turn it`(_ degrees: Double) throws {
    try makePictures()
    let turn = degrees * .pi / 180
    // A pixel is 2 cm; the picture is turned about the site's origin, and then moved.
    func truth(_ u: Double, _ v: Double) -> Point {
      let (x, y) = (0.02 * u, -0.02 * v)
      return Point(
        x: 3 + x * cos(turn) - y * sin(turn), y: -1 + x * sin(turn) + y * cos(turn))
    }
    let pixels = [Point(x: 100, y: 50), Point(x: 500, y: 300)]
    let picture = try picture(
      "a.png", .points(pixels: pixels, places: pixels.map { truth($0.x, $0.y) }))
    for (u, v) in [(0.0, 0.0), (640, 0), (0, 333), (123, 45)] {
      let (found, expected) = (place(picture, u, v), truth(u, v))
      #expect(found.distance(to: expected) < 1e-9)
    }
  }

  @Test(arguments: [
    (
      "image = \"a.png\"\nscale_m = 0.1\norigin = [0, 0]", "name is missing"
    ),
    ("name = \"g\"\nscale_m = 0.1\norigin = [0, 0]", "image is missing"),
    ("name = \"g\"\nimage = \"a.png\"", "give either scale_m"),
    ("name = \"g\"\nimage = \"a.png\"\nscale_m = 0.1", "give either scale_m"),
    ("name = \"g\"\nimage = \"a.png\"\nscale_m = 0\norigin = [0, 0]", "scale_m must be a number"),
    (
      "name = \"g\"\nimage = \"a.png\"\npixels = [[0, 0]]\nplaces = [[0, 0], [1, 1]]",
      "must be two points"
    ),
    (
      "name = \"g\"\nimage = \"a.png\"\npixels = [[0, 0], [1, 1]]\nplaces = [[2, 2], [2, 2]]",
      "twice in a row"
    ),
  ])
  func `a floor that is wrong is named`(_ table: String, _ words: String) throws {
    let said = try #require(problem("[[floors]]\n" + table))
    #expect(said.contains(words), "\(said)")
  }

  @Test func `a picture is beside its site file`() throws {
    let text = "[[floors]]\nname = \"g\"\nimage = \"a.png\"\nscale_m = 0.1\norigin = [1, 2]\n"
    let floor = try Site(toml: Array(text.utf8), path: "plans/site.toml").floors[0]
    #expect(floor.image?.path == "plans/a.png")
    #expect(floor.image?.placement == .scale(0.1, origin: Point(x: 1, y: 2)))
    let absolute = text.replacingOccurrences(of: "a.png", with: "/x/a.png")
    #expect(
      try Site(toml: Array(absolute.utf8), path: "plans/site.toml").floors[0].image?.path
        == "/x/a.png")
  }
}
