import Advertising
import Foundation
import Geometry
import Proximity
import Sites
import Support
import TestSupport
import Testing

@Suite struct SiteReadingTests {
  @Test func `every key is taken`() throws {
    let site = try site(wholeSite)
    var expected = Site()
    expected.walls = [
      Site.Wall([Point(x: 0, y: 0), Point(x: 4.5, y: 0)], kind: "brick", attenuation: 8.5),
      Site.Wall([Point(x: 0, y: 0), Point(x: 0, y: -3), Point(x: 10, y: -3.25)], kind: "wall"),
    ]
    expected.anchors = [
      Site.Anchor(
        node: "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7", role: .beacon,
        place: Point(x: 1, y: 2.5), height: -0.5, measuredPower: -59),
      Site.Anchor(node: "hci0", role: .receiver, place: Point(x: 3, y: 16)),
    ]
    expected.rooms = [
      Site.Room(
        name: "Küche",
        polygon: [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 4, y: 3), Point(x: 0, y: 3)])
    ]
    expected.spots = [
      Site.Spot(
        name: "desk", place: Point(x: 1.5, y: 1.5), height: 0.7,
        note: "the one\nby the \"\"window\"\".")
    ]
    expected.regions = [
      Region(
        name: "shop",
        patterns: [try #require(BeaconPattern("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1"))],
        zones: ZoneSet([.near, .immediate]), range: 1.5),
      Region(name: "all"),
    ]
    var floor = Site.Floor(name: "F1", level: 1)
    (floor.height, floor.shift) = (0, Point(x: 1, y: -2.5))
    floor.outline = [Point(x: 0, y: 0), Point(x: 9, y: 0), Point(x: 9, y: 9)]
    expected.floors = [floor]
    expected.doors = [Site.Door(["outside", "Küche"], place: Point(x: 4, y: 1.5))]
    #expect(site == expected)
  }

  @Test func `tables may be inline`() throws {
    let short = try site("walls = [{from = [0, 0], to = [1, 0]},\n {points = [[0, 0], [0, 1]]}]")
    let long = try site(
      "[[walls]]\nfrom = [0, 0]\nto = [1, 0]\n[[walls]]\npoints = [[0, 0], [0, 1]]")
    #expect(short == long)
  }

  @Test func `the example of the documentation is a site`() throws {
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/site.md"), encoding: .utf8)
    let example = try #require(page.components(separatedBy: "```toml\n").dropFirst().first)
    let site = try site(example.components(separatedBy: "```")[0])
    #expect(site.walls.map(\.kind) == ["brick", "plasterboard"])
    #expect(site.anchors.count == 1 && site.rooms.count == 1 && site.spots.count == 1)
    #expect(site.regions.map(\.name) == ["entrance"])
  }

  @Test func `the site has a place on Earth`() throws {
    let origin = try site("[[wgs84]]\nlatitude_deg = 48.2\nlongitude_deg = 16.37")
    #expect(origin.reference == EarthReference(latitude: 48.2, longitude: 16.37))
    let corner = try site(
      """
      [[wgs84]]
      latitude_deg = -33.9
      longitude_deg = 151.2
      bearing_deg = -30
      x_m = 4
      y_m = 2.5
      """)
    #expect(
      corner.reference
        == EarthReference(
          of: Point(x: 4, y: 2.5), latitude: -33.9, longitude: 151.2, bearing: -30))
  }

  @Test(arguments: [
    "latitude_deg = 48.2", "latitude_deg = 90.1\nlongitude_deg = 0",
    "latitude_deg = 0\nlongitude_deg = nan", "latitude_deg = 0\nlongitude_deg = 0\nx_m = 1",
    "latitude_deg = 0\nlongitude_deg = 0\nheight_m = 1",
    "latitude_deg = 0\nlongitude_deg = 0\n[[wgs84]]\nlatitude_deg = 0\nlongitude_deg = 0",
  ])
  func `a place on Earth is one and whole`(_ keys: String) {
    #expect(throws: RSSIError.self) { try site("[[wgs84]]\n" + keys) }
  }

  @Test func `an empty file is an empty site`() throws {
    #expect(try site("") == Site())
    #expect(try site("# nothing\r\n\n") == Site())
    #expect(try site("\u{FEFF}walls = []") == Site())
  }

  @Test(
    arguments: [
      (
        "[[walls]]\nfrom = [0, 0]\n\n# to\ntoo = [1, 1]", 5,
        "unknown key \"too\""
      ),
      (
        "[[walls]]\npoints = [\n[0, 0],\n[1, 1]]\n[[walls]]\nfrom = [0, 0]\nto = [1, 1]\nattenuation = 3",
        8,
        "key \"attenuation\""
      ),
      (
        "walls = [{from = [0, 0], to = [1, 1]},\n{from = [0, 0], to = [1, 1], Kind = \"x\"}]", 2,
        "unknown key \"Kind\""
      ),
      (
        "\n[[wals]]\nfrom = [0, 0]", 2,
        "unknown key \"wals\""
      ),
      (
        "\n\nunits = \"feet\"", 3,
        "unknown key \"units\""
      ),
      ("[walls]\nfrom = [0, 0]", 1, "\"walls\" must be an array"),
      ("walls = 3", 1, "\"walls\" must be an array"),
      ("walls = [\n3]", 1, "\"walls\" must contain only tables"),
      ("[[walls]]\nkind = \"x\"", 1, "give either from"),
      ("[[walls]]\nfrom = [0, 0]", 1, "give either from"),
      (
        "[[walls]]\nfrom = [0, 0]\nto = [1, 1]\npoints = [[0, 0], [1, 1]]", 4,
        "give either from"
      ),
      ("[[walls]]\npoints = [[0, 0]]", 2, "a wall needs at least two points"),
      (
        "[[walls]]\nfrom = [2, 0]\nto = [2, 1e-7]", 3,
        "twice in a row"
      ),
      (
        "[[walls]]\nfrom = [0, nan]\nto = [0, 1]", 2,
        "from must be a number"
      ),
      (
        "[[walls]]\nfrom = [0, 0]\nto = [0, -inf]", 3,
        "to must be a number"
      ),
      (
        "[[walls]]\nfrom = [0, 0, 0]\nto = [0, 1]", 2,
        "from must be a point [x, y]"
      ),
      (
        "[[walls]]\nfrom = [0, \"1\"]\nto = [0, 1]", 2,
        "from must be a number"
      ),
      (
        "[[walls]]\npoints = \"round\"", 2,
        "points must be"
      ),
      (
        "[[walls]]\nfrom = [0, 0]\nto = [1, 1]\nattenuation_db = -3", 4,
        "attenuation_db must be"
      ),
      (
        "[[walls]]\nfrom = [0, 0]\nto = [1, 1]\nkind = \"\"", 4,
        "kind must be a text"
      ),
      (
        "[[anchors]]\nrole = \"beacon\"\nx_m = 1\ny_m = 1", 1,
        "node is missing"
      ),
      (
        "[[anchors]]\nnode = 3", 2,
        "node must be a text"
      ),
      (
        "[[anchors]]\nnode = \"a\"\nrole = \"lamp\"", 3,
        "role must be"
      ),
      (
        "[[anchors]]\nnode = \"a\"\nrole = \"beacon\"\nx_m = 1", 4,
        "x_m and y_m are both required"
      ),
      (
        "[[anchors]]\nnode = \"a\"\nrole = \"beacon\"\nx_m = 1\ny_m = 1_000_001", 5,
        "y_m must be a number"
      ),
      (
        "[[anchors]]\nnode = \"a\"\nrole = \"beacon\"\nx_m = 1\ny_m = 1\nmeasured_power_dbm = 59",
        6,
        "measured_power_dbm"
      ),
      (
        "[[anchors]]\nnode = \"a\"\nrole = \"beacon\"\nx_m = 1\ny_m = 1\n[[anchors]]\nrole = \"beacon\"\nx_m = 1\ny_m = 1\nnode = \"a\"",
        10,
        "duplicate beacon \"a\""
      ),
      (
        "[[rooms]]\nname = \"a\"", 1,
        "polygon is missing"
      ),
      (
        "[[rooms]]\nname = \"a\"\npolygon = [[0, 0], [1, 1], [0, 0]]", 3,
        "polygon must have at least three"
      ),
      (
        "[[spots]]\nname = \"a\"\nx_m = 0\ny_m = 0\n[[spots]]\nname = \"a\"\nx_m = 0\ny_m = 0", 6,
        "duplicate spot \"a\""
      ),
      (
        "[[walls]]\nwall.kind = \"x\"", 2,
        "unexpected dotted key"
      ),
      (
        "\n[walls.\"a\"]\n", 2,
        "unexpected dotted key"
      ),
      (
        "\u{A0}[=", 1,
        "non-ASCII"
      ),
      (
        "[[regions]]\nname = \"a\"\nbeacons = \"none\"", 3,
        "beacons must be UUID"
      ),
      (
        "[[regions]]\nname = \"a\"\nzones = [\"close\"]", 3,
        "zones must be a list"
      ),
      ("[[spots]]\nname = \"a\\u0000b\"", 2, "a zero character"),
      (
        "[[spots]]\nname = \"a\"\n# \0", 3, "a zero byte"
      ),
      ("\n[[[walls]]]", 2, "invalid header"),
      ("[[walls]", 1, "invalid header"),
      ("\n[[=]]", 2, "invalid header"),
      (
        "[[walls]]\nfrom = [}", 2,
        "unmatched closing bracket"
      ),
      ("x = [\n[[[[[[[[1]]]]]]]]]", 2, "more than 8 deep"),
    ] as [(String, Int, String)])
  func `a mistake is named by its line`(_ text: String, _ line: Int, _ expected: String) {
    let said = problem(text) ?? ""
    #expect(said.hasPrefix("site.toml, line \(line): ") && said.contains(expected), "\(said)")
  }

  @Test(arguments: [
    ("[[walls]]\nfrom = [0, 0", 2), ("[[walls]]\n\nkind = brick", 3),
    ("[[spots]]\nname = \"\"\"\na\nb", 4), ("a = 1\na = 2", 2), ("walls = [{a = 1}, =]", 1),
  ])
  func `invalid TOML is named by its line`(_ text: String, _ line: Int) throws {
    let said = try #require(problem(text))
    #expect(said.hasPrefix("site.toml, line \(line): invalid TOML: "))
    #expect(said.utf8.count < 300)
  }

  @Test func `bytes that are not UTF-8`() {
    let bytes = Array("[[spots]]\nname = \"".utf8) + [0xC3, 0x28] + Array("\"".utf8)
    #expect(
      throws: RSSIError.badTOML(
        path: "x", line: 2, problem: "invalid UTF-8, or a zero byte; save the file as UTF-8")
    ) {
      try Site(toml: bytes, path: "x")
    }
  }

  @Test func `files are read or named`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(wholeSite, to: "site.toml")
    #expect(try Site(path: path) == site(wholeSite))
    #expect(throws: RSSIError.notFound(path: folder.path("none"))) {
      try Site(path: folder.path("none"))
    }
    #expect(throws: RSSIError.isDirectory(path: folder.url.path)) {
      try Site(path: folder.url.path)
    }
    let long = try folder.write(String(repeating: "#", count: 1_000_001), to: "long.toml")
    #expect(throws: RSSIError.tooLong(path: long, limit: 1_000_000)) { try Site(path: long) }
    #expect(throws: RSSIError.notAFile(path: "/dev/zero")) {
      try Site(path: "/dev/zero")
    }
    #expect(throws: RSSIError.tooLong(path: "x", limit: 1_000_000)) {
      try Site(toml: [UInt8](repeating: 35, count: 1_000_001), path: "x")
    }
  }
}
