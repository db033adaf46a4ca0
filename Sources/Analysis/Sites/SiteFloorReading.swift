import Geometry
import Sightings
import Support

// Floors, and the connections between them.
extension SiteReading {
  /// - Throws: `RSSIError.badTOML` for floors with the same name or level.
  func floors() throws(RSSIError) -> [Site.Floor] {
    var names: Set<String> = []
    var levels: [Int: String] = [:]
    return try each(
      "floors",
      keys: [
        "name", "level", "height_m", "shift", "outline", "image", "scale_m", "origin", "pixels",
        "places",
      ]
    ) { table throws(RSSIError) in
      let name = try table.text("name")
      guard TextLimit.floor.admits(name) else {
        throw table.problem("name", "the name of a floor must have at most 64 bytes")
      }
      guard names.insert(name).inserted else {
        throw table.problem("name", "duplicate floor \"\(name)\"; rename one")
      }
      var floor = Site.Floor(name: name, level: try level(table, ofFloor: name))
      if let level = floor.level, let other = levels.updateValue(name, forKey: level) {
        throw table.problem(
          table.has("level") ? "level" : "name",
          "floors \"\(other)\" and \"\(name)\" both have level \(level); set level = NUMBER")
      }
      floor.height = try table.optionalCoordinate("height_m")
      floor.shift = try table.optionalPoint("shift")
      floor.outline = try table.optionalPolygon("outline") ?? []
      floor.image = try image(table)
      return floor
    }
  }

  /// Returns the level in a table, else that in the floor's name.
  private func level(_ table: TOMLTable, ofFloor name: String) throws(RSSIError) -> Int? {
    let range = Sightings.Floor.levels
    guard
      let number = try table.optionalNumber(
        "level", in: Double(range.lowerBound)...Double(range.upperBound))
    else { return Sightings.Floor.level(ofName: name) }
    guard let level = Int(exactly: number) else {
      throw table.problem("level", "level must be a whole number; 0 is the ground floor")
    }
    return level
  }

  private func image(_ table: TOMLTable) throws(RSSIError) -> Site.Floor.Image? {
    guard let image = try table.optionalText("image") else {
      guard let key = ["scale_m", "origin", "pixels", "places"].first(where: table.has) else {
        return nil
      }
      throw table.problem(key, "image is missing: \(key) is for a picture")
    }
    return Site.Floor.Image(path: besideFile(image), placement: try placement(table))
  }

  private func placement(_ table: TOMLTable) throws(RSSIError) -> Site.Floor.Image.Placement {
    switch (
      try table.optionalNumber("scale_m", in: 1e-6...1000), try table.optionalPoint("origin"),
      try table.optionalPoints("pixels"), try table.optionalPoints("places")
    ) {
    case (let scale?, let origin?, nil, nil): return .scale(scale, origin: origin)
    case (nil, nil, let pixels?, let places?):
      for (key, points) in [("pixels", pixels), ("places", places)] {
        guard points.count == 2 else {
          throw table.problem(key, "\(key) must be two points [[x, y], [x, y]]")
        }
        try table.requireSteps(points, key)
      }
      return .points(pixels: pixels, places: places)
    default:
      throw table.problem(
        "image",
        "give either scale_m (metres per pixel) and origin (place of the lower left corner), or "
          + "pixels and places (two points of the picture with their places)")
    }
  }

  /// Returns the ways between floors, and the doors, which have tables of the same array.
  ///
  /// - Throws: `RSSIError.badTOML` for connections between floors or rooms that cannot touch there.
  func connections() throws(RSSIError) -> ([Site.Connection], [Site.Door]) {
    var doors: [Site.Door] = []
    let connections = try each("connections", keys: ["kind", "ends", "rooms", "place", "floor"]) {
      table throws(RSSIError) -> Site.Connection? in
      let word = try table.text("kind")
      guard word != Site.Door.kind else {
        doors.append(try door(table))
        return nil
      }
      guard let kind = Site.Connection.Kind(rawValue: word) else {
        throw table.problem(
          "kind", "kind must be \"stairs\", \"lift\", \"escalator\" or \"\(Site.Door.kind)\"")
      }
      if let key = ["rooms", "place", "floor"].first(where: table.has) {
        throw table.problem(
          key, "\(key) is for a door; give the ends of the \(kind.rawValue) on each floor")
      }
      let ends = try table.ends(on: floorNames)
      let connected = ends.compactMap { end in knownFloors.first { $0.name == end.floor } }
      if kind != .lift { try requireAdjacent(connected, table, kind) }
      for (number, floor) in connected.enumerated() {
        for other in 0..<number {
          try requireNear(
            (floor, ends[number].place), (connected[other], ends[other].place), table)
        }
      }
      return Site.Connection(kind, ends: ends)
    }
    return (connections.compactMap(\.self), doors)
  }

  /// Refuses stairs that pass a level, if all levels are known.
  private func requireAdjacent(
    _ connected: [Site.Floor], _ table: TOMLTable, _ kind: Site.Connection.Kind
  ) throws(RSSIError) {
    let known = connected.filter { $0.level != nil }.sorted { $0.level ?? 0 < $1.level ?? 0 }
    guard known.count == connected.count else { return }
    for (low, high) in zip(known, known.dropFirst()) where high.level != (low.level ?? 0) + 1 {
      throw table.problem(
        "ends",
        "\(kind.rawValue) cannot pass levels: \"\(low.name)\" is level \(low.level ?? 0), "
          + "\"\(high.name)\" level \(high.level ?? 0); add the ends between them, or use a lift")
    }
  }

  /// The largest distance in metres between the ends of a connection in the building's frame: that
  /// of the longest stairs and escalators.
  private static let longestConnection = 30.0

  /// Refuses ends that are too far apart for one connection, if the shifts of both floors are known.
  private func requireNear(
    _ one: (floor: Site.Floor, place: Point), _ other: (floor: Site.Floor, place: Point),
    _ table: TOMLTable
  ) throws(RSSIError) {
    guard let shift = one.floor.shift, let otherShift = other.floor.shift else { return }
    let place = Point(x: one.place.x + shift.x, y: one.place.y + shift.y)
    let distance = place.distance(
      to: Point(x: other.place.x + otherShift.x, y: other.place.y + otherShift.y))
    guard distance > Self.longestConnection else { return }
    throw table.problem(
      "ends",
      "the ends on \"\(other.floor.name)\" and \"\(one.floor.name)\" are \(Int(distance)) m apart in "
        + "the building's frame (at most \(Int(Self.longestConnection)) m): give each end in the "
        + "plane of its floor, and check the shifts of both")
  }

  /// Resolves a path in the site file relative to the file's folder.
  private func besideFile(_ name: String) -> String {
    guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }
}

extension TOMLTable {
  /// Returns the name of the floor in a table, or `nil` if the key is absent in a site of at most
  /// one floor.
  ///
  /// - Parameter names: The names of the site's floors.
  func floor(among names: [String]) throws(RSSIError) -> String? {
    guard let name = try optionalText("floor") else {
      guard names.count > 1 else { return nil }
      throw problem(
        "floor", "floor is missing; a site of several floors needs floor = \(Self.choice(names))")
    }
    try requireFloor(name, "floor", among: names)
    return name
  }

  private func requireFloor(
    _ name: String, _ key: String, among names: [String]
  ) throws(RSSIError) {
    guard !names.contains(name) else { return }
    throw problem(
      key,
      "unknown floor \"\(name.prefix(40))\"; "
        + (names.isEmpty ? "describe it in [[floors]]" : "floors are \(Self.choice(names))"))
  }

  private static func choice(_ names: [String]) -> String {
    let shown = names.prefix(6).map { "\"\($0)\"" }.joined(separator: ", ")
    return shown + (names.count > 6 ? ", …" : "")
  }

  /// Returns the ends `[["FLOOR", x, y], …]` of a connection.
  fileprivate func ends(on names: [String]) throws(RSSIError) -> [Site.Connection.End] {
    let form = "ends must be at least two places [[\"FLOOR\", x, y], [\"FLOOR\", x, y]] in metres"
    guard let list = self["ends"]?.array, list.count >= 2 else { throw problem("ends", form) }
    var ends: [Site.Connection.End] = []
    for element in list {
      guard let parts = element.array, parts.count == 3, let name = parts[0].text else {
        throw problem("ends", form)
      }
      try requireFloor(name, "ends", among: names)
      guard !ends.contains(where: { $0.floor == name }) else {
        throw problem(
          "ends", "ends has floor \"\(name)\" twice; a connection has one end per floor")
      }
      ends.append(
        Site.Connection.End(floor: name, place: try point(.array(Array(parts[1...])), "ends")))
    }
    return ends
  }
}
