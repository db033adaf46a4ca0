public import Geometry
import Rooms
import Support

extension Site {
  /// A door between two rooms of a floor, or out of one.
  public struct Door: Hashable, Sendable {
    /// The name of the way out, in the place of a room's.
    public static let outside = RoomModel.outside
    /// The kind of doors among the connections of a site file.
    static let kind = "door"

    /// The names of the two rooms, one of which may be `outside`.
    public var rooms: [String]
    /// The middle of the door in metres, if it is known.
    public var place: Point?
    /// The name of the floor; nil on a site of at most one.
    public var floor: String?

    /// Creates a door between two rooms.
    public init(_ rooms: [String], place: Point? = nil, floor: String? = nil) {
      (self.rooms, self.place, self.floor) = (rooms, place, floor)
    }
  }
}

extension SiteReading {
  /// The largest thickness of a wall between two rooms, in metres.
  private static let thickestWall = 0.5

  /// Returns the door of a table.
  ///
  /// - Throws: `RSSIError.badTOML` for rooms that are unknown or do not touch.
  func door(_ table: TOMLTable) throws(RSSIError) -> Site.Door {
    if table.has("ends") {
      throw table.problem("ends", "ends are for ways between floors; give the rooms of the door")
    }
    let floor = try table.floor(among: floorNames)
    guard let names = try table.optionalTexts("rooms"), names.count == 2 else {
      throw table.problem(
        "rooms",
        "rooms must be the names of two [[rooms]], or of one and \"\(Site.Door.outside)\"")
    }
    guard names[0] != names[1] else {
      throw table.problem(
        "rooms", "the door has \"\(names[0].prefix(40))\" on both sides; give two different rooms")
    }
    let place = try table.optionalPoint("place")
    var rooms: [Site.Room] = []
    for name in names where name != Site.Door.outside {
      rooms.append(try room(name, on: floor, of: table))
    }
    if rooms.count == 2 {
      let gap = try rooms[0].distance(to: rooms[1])
      guard gap <= Self.thickestWall else {
        throw table.problem("rooms", apart("\"\(names[0])\" and \"\(names[1])\"", gap, "outlines"))
      }
    }
    for room in rooms {
      guard let place, case let gap = try room.distance(to: place), gap > Self.thickestWall else {
        continue
      }
      throw table.problem("place", apart("the door and \"\(room.name)\"", gap, "place"))
    }
    return Site.Door(names, place: place, floor: floor)
  }

  private func apart(_ pair: String, _ gap: Double, _ key: String) -> String {
    "\(pair) are \(decimal(gap, 1)) m apart (at most \(Self.thickestWall) m); check the \(key)"
  }

  private func room(
    _ name: String, on floor: String?, of table: TOMLTable
  ) throws(RSSIError) -> Site.Room {
    let named = knownRooms.filter { $0.name == name }
    if let room = named.first(where: { $0.floor == floor || $0.floor == nil || floor == nil }) {
      return room
    }
    let shown = "\"\(name.prefix(40))\""
    if let other = named.first?.floor {
      throw table.problem(
        "rooms",
        "room \(shown) is on floor \"\(other)\", not \"\(floor ?? "")\"; floors are joined "
          + "by \"stairs\", \"lift\" or \"escalator\"")
    }
    throw table.problem(
      "rooms",
      "unknown room \(shown)\(didYouMean(name, among: knownRooms.map(\.name))); describe it in "
        + "[[rooms]]")
  }
}
