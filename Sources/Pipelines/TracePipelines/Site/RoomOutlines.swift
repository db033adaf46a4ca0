import Geometry
import Sites

/// The rooms of a site that people can be in, of which the smallest holds a place.
struct RoomOutlines {
  /// The rooms from the smallest, with their floors.
  private let rooms: [(outline: Polygon, floor: String?)]

  init(_ site: Site?) {
    rooms = (site?.rooms ?? []).filter(\.isWalkable).map { room in
      (outline: Polygon(name: room.name, corners: room.polygon), floor: room.floor)
    }.map { ($0, $0.outline.area) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  var isEmpty: Bool { rooms.isEmpty }

  /// Returns the smallest room that holds a place; nil if none does.
  ///
  /// - Parameter floor: The name of the floor; nil if it is unknown, for a room on any floor.
  func room(at place: Point, floor: String?) -> Polygon? {
    rooms.first { room in
      (room.floor == nil || floor == nil || room.floor == floor) && room.outline.contains(place)
    }?.outline
  }
}
