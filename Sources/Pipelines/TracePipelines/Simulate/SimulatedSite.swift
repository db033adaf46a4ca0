import Geometry
import Simulation
import Sites
import Support

/// The text of a site file for a simulated building or flat.
struct SimulatedSite {
  let text: String

  /// Describes the floors or the flat of a scenario; a single room has no site file.
  ///
  /// - Parameter beacons: The names of the beacons.
  init?(_ room: SimulatedRoom, beacons: [String]) {
    let scenario = room.scenario
    if let storeys = scenario.storeys {
      text = Self.building(storeys, scenario.room)
    } else if let flat = scenario.flat {
      text =
        Self.flat(flat, FlatPlan(scenario.room))
        + zip(beacons, room.beacons).map(Self.anchor).joined()
    } else {
      return nil
    }
  }

  /// Returns the name of a floor: F1 is the lowest.
  static func floorName(_ index: Int) -> String { "F\(index + 1)" }

  /// Returns a length to a tenth of a millimetre.
  static func metres(_ value: Double) -> String { plain((value * 1e4).rounded() / 1e4) }

  /// Returns the floors with their outlines, and the stairs from each to the next.
  private static func building(_ storeys: Storeys, _ room: Simulation.Room) -> String {
    let (width, depth) = (metres(room.width), metres(room.depth))
    var text = "# The simulated building. All floors have one frame.\n"
    for index in 0..<storeys.count {
      text += """

        [[floors]]
        name = "\(floorName(index))"
        height_m = \(metres(Double(index) * storeys.height))
        shift = [0, 0]
        outline = [[0, 0], [\(width), 0], [\(width), \(depth)], [0, \(depth)]]

        """
    }
    for index in 1..<storeys.count {
      for place in room.stairwells {
        let ends = [index - 1, index].map {
          "[\"\(floorName($0))\", \(metres(place.x)), \(metres(place.y))]"
        }
        text += "\n[[connections]]\nkind = \"stairs\"\nends = [\(ends.joined(separator: ", "))]\n"
      }
    }
    return text
  }

  /// Returns the rooms, walls and doors of a flat.
  private static func flat(_ flat: Flat, _ plan: FlatPlan) -> String {
    var text = "# The simulated flat.\n"
    for room in plan.rooms {
      let corners = room.corners.map(point).joined(separator: ", ")
      text += "\n[[rooms]]\nname = \"\(room.name)\"\npolygon = [\(corners)]\n"
    }
    for piece in plan.walls.joined() {
      text += """

        [[walls]]
        from = \(point(piece.from))
        to = \(point(piece.to))
        attenuation_db = \(plain(flat.wallLoss))

        """
    }
    for door in plan.doors {
      let names = door.rooms.map { plan.rooms[$0].name } + [Site.Door.outside]
      text += """

        [[connections]]
        kind = "door"
        rooms = ["\(names[0])", "\(names[1])"]
        place = \(point(door.place))

        """
    }
    return text
  }

  private static func anchor(_ name: String, _ beacon: SimulatedBeacon) -> String {
    """

    [[anchors]]
    node = "\(name)"
    role = "beacon"
    x_m = \(metres(beacon.position.x))
    y_m = \(metres(beacon.position.y))
    z_m = \(metres(beacon.height))

    """
  }

  private static func point(_ place: Point) -> String {
    "[\(metres(place.x)), \(metres(place.y))]"
  }
}
