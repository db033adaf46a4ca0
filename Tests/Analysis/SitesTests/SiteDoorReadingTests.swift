import Geometry
import Sites
import Support
import TestSupport
import Testing

@Suite("Doors in a site file")
struct SiteDoorReadingTests {
  /// Two rooms with a wall of 0.2 m between them, and one that is 3.2 m from the first.
  private static let flat = """
    [[rooms]]
    name = "kitchen"
    polygon = [[0, 0], [4, 0], [4, 3], [0, 3]]
    [[rooms]]
    name = "hall"
    polygon = [[4.2, 0], [7, 0], [7, 3], [4.2, 3]]
    [[rooms]]
    name = "study"
    polygon = [[7.2, 0], [9, 0], [9, 3], [7.2, 3]]

    """

  private static func house(_ floors: String...) -> String {
    floors.map { floor in
      "[[floors]]\nname = \"\(floor)\"\n"
        + flat.replacing("polygon", with: "floor = \"\(floor)\"\npolygon")
    }.joined()
  }

  private func door(_ keys: String) -> String { "[[connections]]\nkind = \"door\"\n" + keys }

  @Test func `doors join rooms, and a room with the outside`() throws {
    let site = try site(
      Self.flat + door("rooms = [\"hall\", \"kitchen\"]\nplace = [4.1, 1.5]\n")
        + door("rooms = [\"outside\", \"hall\"]\n") + door("rooms = [\"hall\", \"kitchen\"]"))
    #expect(
      site.doors == [
        Site.Door(["hall", "kitchen"], place: Point(x: 4.1, y: 1.5)),
        Site.Door(["outside", "hall"]), Site.Door(["hall", "kitchen"]),
      ])
    #expect(site.connections.isEmpty)
  }

  @Test func `doors and stairs may alternate, and doors name their floor`() throws {
    let site = try site(
      Self.house("F1", "F2") + door("floor = \"F2\"\nrooms = [\"hall\", \"kitchen\"]\n")
        + "[[connections]]\nkind = \"stairs\"\nends = [[\"F1\", 5, 1], [\"F2\", 5, 1]]\n"
        + door("floor = \"F1\"\nrooms = [\"hall\", \"study\"]"))
    #expect(site.doors.map(\.floor) == ["F2", "F1"])
    #expect(site.connections.map(\.kind) == [.stairs])
    #expect(
      try SiteDoorReadingTests.doors(Self.house("F1") + door("rooms = [\"hall\", \"study\"]")).count
        == 1)
  }

  private static func doors(_ text: String) throws -> [Site.Door] { try site(text).doors }

  /// A zone within a room, a zone across it, and a room that touches a corner.
  @Test(
    arguments: [
      "[[1, 1], [2, 1], [2, 2], [1, 2]]", "[[1, -1], [2, -1], [2, 4], [1, 4]]",
      "[[-1, -1], [0, -1], [0, 0], [-1, 0]]", "[[-3, 3.5], [9, 3.5], [9, 6]]",
    ])
  func `outlines that touch or overlap may have a door`(_ polygon: String) throws {
    let zone = "[[rooms]]\nname = \"zone\"\npolygon = \(polygon)\n"
    #expect(
      try Self.doors(Self.flat + zone + door("rooms = [\"zone\", \"kitchen\"]")).count == 1)
  }

  @Test(arguments: [
    ("rooms = [\"hall\", \"kichen\"]", 12, "unknown room \"kichen\" (did you mean \"kitchen\"?)"),
    ("rooms = [\"hall\", \"x\"]", 12, "unknown room \"x\"; describe it in [[rooms]]"),
    ("rooms = [\"hall\", \"hall\"]", 12, "has \"hall\" on both sides; give two different rooms"),
    ("rooms = [\"outside\", \"outside\"]", 12, "has \"outside\" on both sides"),
    (
      "rooms = [\"hall\"]", 12,
      "rooms must be the names of two [[rooms]], or of one and \"outside\""
    ),
    ("rooms = [\"hall\", 3]", 12, "rooms must be a list of texts"),
    ("", 10, "rooms must be the names of two"),
    (
      "rooms = [\"kitchen\", \"study\"]", 12,
      "\"kitchen\" and \"study\" are 3.2 m apart (at most 0.5 m); check the outlines"
    ),
    (
      "rooms = [\"kitchen\", \"hall\"]\nplace = [5, 1]", 13,
      "the door and \"kitchen\" are 1.0 m apart (at most 0.5 m); check the place"
    ),
    ("rooms = [\"kitchen\", \"hall\"]\nplace = 4", 13, "place must be a point [x, y]"),
    ("rooms = [\"kitchen\", \"hall\"]\nends = []", 13, "ends are for ways between floors"),
    ("rooms = [\"kitchen\", \"hall\"]\nwidth = 1", 13, "unknown key \"width\""),
  ])
  func `a door that is wrong is named`(_ keys: String, _ line: Int, _ words: String) throws {
    let said = try #require(problem(Self.flat + door(keys)))
    #expect(said.hasPrefix("site.toml, line \(line): [[connections]] number 1: "), "\(said)")
    #expect(said.contains(words), "\(said)")
  }

  @Test(arguments: [
    ("kind = \"door\"\nrooms = [\"hall\", \"kitchen\"]", "floor is missing"),
    (
      "kind = \"door\"\nfloor = \"F1\"\nrooms = [\"hall\", \"attic\"]",
      "room \"attic\" is on floor \"F2\", not \"F1\"; floors are joined by \"stairs\""
    ),
    (
      "kind = \"stairs\"\nrooms = [\"hall\", \"kitchen\"]",
      "rooms is for a door; give the ends of the stairs on each floor"
    ),
    (
      "kind = \"lift\"\nplace = [0, 0]\nends = [[\"F1\", 0, 0], [\"F2\", 0, 0]]",
      "place is for a door"
    ),
  ])
  func `doors join no floors`(_ keys: String, _ words: String) throws {
    let attic =
      "[[rooms]]\nname = \"attic\"\nfloor = \"F2\"\npolygon = [[0, 3], [4, 3], [4, 6]]\n"
    let said = try #require(problem(Self.house("F1", "F2") + attic + "[[connections]]\n" + keys))
    #expect(said.contains(words), "\(said)")
  }

  @Test func `names of rooms are unique on a floor, and none is the outside`() {
    #expect(
      problem(Self.flat.replacing("\"study\"", with: "\"outside\""))?.hasPrefix(
        "site.toml, line 8: [[rooms]] number 3: \"outside\" is the way out of a door; rename the room"
      )
        == true)
    let twice =
      "[[floors]]\nname = \"F1\"\n" + Self.flat
      + "[[rooms]]\nname = \"hall\"\nfloor = \"F1\"\npolygon = [[0, 3], [4, 3], [4, 6]]\n"
    #expect(problem(twice)?.contains("duplicate room \"hall\"; rename one") == true)
  }

  /// The perimeter and the diagonals of a unit square, by hand.
  @Test func `places beside a room are as far as its outline`() throws {
    for (x, y, limit) in [
      (-0.5, 0.5, true), (-0.501, 0.5, false), (-0.4, -0.4, false), (-0.3, -0.3, true),
    ] {
      let text =
        "[[rooms]]\nname = \"a\"\npolygon = [[0, 0], [1, 0], [1, 1], [0, 1]]\n"
        + door("rooms = [\"a\", \"outside\"]\nplace = [\(x), \(y)]")
      #expect((problem(text) == nil) == limit, "\(x), \(y)")
    }
  }
}
