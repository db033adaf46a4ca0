import Advertising
import Geometry
import Proximity
import Sites
import Testing

@Suite("Several floors in a site file")
struct SiteFloorReadingTests {
  /// Two floors whose planes differ by 10 m, and one without a shift.
  private static let floors = """
    [[floors]]
    name = "B1"
    shift = [10, 0]
    [[floors]]
    name = "hall"
    level = 0
    shift = [0, 0]
    [[floors]]
    name = "F2"
    """

  private func building(_ rest: String) throws -> Site { try site(Self.floors + "\n" + rest) }

  @Test func `everything names its floor`() throws {
    let site = try building(
      """
      [[rooms]]
      name = "shop"
      floor = "hall"
      polygon = [[0, 0], [4, 0], [4, 3]]
      [[rooms]]
      name = "shop"
      floor = "F2"
      walkable = false
      polygon = [[0, 0], [4, 0], [4, 3]]
      [[walls]]
      floor = "B1"
      from = [0, 0]
      to = [1, 0]
      [[anchors]]
      node = "a"
      role = "beacon"
      x_m = 0
      y_m = 0
      floor = "F2"
      [[spots]]
      name = "desk"
      x_m = 0
      y_m = 0
      floor = "hall"
      """)
    #expect(site.floors.map(\.level) == [-1, 0, 2])
    #expect(site.floors.map(\.shift) == [Point(x: 10, y: 0), Point(x: 0, y: 0), nil])
    #expect(site.rooms.map(\.floor) == ["hall", "F2"])
    #expect(site.rooms.map(\.isWalkable) == [true, false])
    #expect(site.walls.map(\.floor) == ["B1"] && site.anchors.map(\.floor) == ["F2"])
    #expect(site.spots.map(\.floor) == ["hall"])
  }

  @Test func `a region may be the anchors of a floor`() throws {
    let anchors = ["hall", "F2", "F2"].enumerated().map { number, floor in
      """
      [[anchors]]
      node = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:\(number)"
      role = "beacon"
      x_m = \(number)
      y_m = 0
      floor = "\(floor)"

      """
    }.joined()
    let site = try building(anchors + "[[regions]]\nname = \"upstairs\"\nfloor = \"F2\"")
    let index = RegionIndex(site.regions)
    for (number, regions) in [[], [0], [0], []].enumerated() {
      let pattern = BeaconPattern("5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:\(number)")
      #expect(index.regions(of: try #require(pattern?.identity)) == regions)
    }
    for (table, words) in [
      ("floor = \"B1\"", "is on floor \"B1\""), ("floor = \"F9\"", "unknown floor \"F9\""),
      ("floor = \"F2\"\nbeacons = \"1:2\"", "not both"),
    ] {
      let said = problem(Self.floors + "\n" + anchors + "[[regions]]\nname = \"a\"\n" + table)
      #expect(said?.contains(words) == true, "\(said ?? "")")
    }
  }

  @Test func `connections join floors`() throws {
    let site = try building(
      """
      [[connections]]
      kind = "stairs"
      ends = [["hall", 12, 1], ["B1", 2, 1]]
      [[connections]]
      kind = "lift"
      ends = [["F2", 900, 900], ["B1", 2, 1], ["hall", 12, 0]]
      """)
    #expect(site.connections.map(\.kind) == [.stairs, .lift])
    #expect(
      site.connections[0].ends == [
        .init(floor: "hall", place: Point(x: 12, y: 1)),
        .init(floor: "B1", place: Point(x: 2, y: 1)),
      ])
    #expect(site.connections[1].ends.count == 3)
  }

  @Test(arguments: [
    (
      "kind = \"stairs\"\nends = [[\"hall\", 50, 0], [\"B1\", 2, 0]]",
      "the ends on \"hall\" and \"B1\" are 38 m apart in the building's frame (at most 30 m)"
    ),
    (
      "kind = \"escalator\"\nends = [[\"hall\", 0, 0], [\"F2\", 0, 0]]",
      "escalator cannot pass levels: \"hall\" is level 0, \"F2\" level 2; add the ends between them"
    ),
    (
      "kind = \"lift\"\nends = [[\"hall\", 0, 0], [\"F9\", 0, 0]]",
      "unknown floor \"F9\"; floors are"
    ),
    ("kind = \"lift\"\nends = [[\"hall\", 0, 0], [\"hall\", 1, 0]]", "has floor \"hall\" twice"),
    ("kind = \"lift\"\nends = [[\"hall\", 0, 0]]", "ends must be at least two places"),
    ("kind = \"lift\"\nends = [[\"hall\", 0], [\"F2\", 0, 0]]", "ends must be at least two places"),
    ("kind = \"lift\"\nends = [[\"hall\", 0, nan], [\"F2\", 0, 0]]", "ends must be a number"),
    ("kind = \"lift\"", "ends must be at least two places"),
    ("kind = \"ramp\"\nends = []", "kind must be \"stairs\", \"lift\", \"escalator\" or \"door\""),
  ])
  func `a connection that is wrong is named`(_ table: String, _ words: String) throws {
    let said = try #require(problem(Self.floors + "\n[[connections]]\n" + table))
    #expect(said.contains("[[connections]] number 1: ") && said.contains(words), "\(said)")
  }

  @Test(arguments: [
    (
      "[[walls]]\nfrom = [0, 0]\nto = [1, 0]",
      "floor is missing; a site of several floors needs floor = \"B1\", \"hall\", \"F2\""
    ),
    ("[[spots]]\nname = \"x\"\nx_m = 0\ny_m = 0\nfloor = \"F1\"", "unknown floor \"F1\""),
    ("[[floors]]\nname = \"hall\"", "duplicate floor \"hall\"; rename one"),
    (
      "[[floors]]\nname = \"L2\"",
      "floors \"F2\" and \"L2\" both have level 2; set level = NUMBER"
    ),
    ("[[floors]]\nname = \"x\"\nlevel = 1.5", "level must be a whole number"),
    ("[[floors]]\nname = \"x\"\noutline = [[0, 0], [1, 1]]", "outline must have at least three"),
    (
      "[[rooms]]\nname = \"x\"\nfloor = \"F2\"\nwalkable = 1\npolygon = [[0, 0], [1, 0], [1, 1]]",
      "walkable must be true or false"
    ),
    (
      "[[anchors]]\nnode = \"a\"\nrole = \"beacon\"\nx_m = 0\ny_m = 0\nfloor = \"F2\"\n"
        + "[[anchors]]\nnode = \"a\"\nrole = \"beacon\"\nx_m = 0\ny_m = 0\nfloor = \"B1\"",
      "duplicate beacon \"a\" on floor \"F2\" and on floor \"B1\"; keep the one where it is"
    ),
  ])
  func `floors that are wrong are named`(_ tables: String, _ words: String) throws {
    let said = try #require(problem(Self.floors + "\n" + tables))
    #expect(said.contains(words), "\(said)")
  }

  @Test func `a site of one floor needs no word of it`() throws {
    let wall = "[[walls]]\nfrom = [0, 0]\nto = [1, 0]\n"
    #expect(try site(wall).walls[0].floor == nil)
    let one = try site(wall + "[[floors]]\nname = \"F1\"")
    #expect(one.walls[0].floor == nil && one.floors[0].image == nil)
    #expect(
      problem(wall + "floor = \"F1\"")?.contains("describe it in [[floors]]") == true)
  }
}
