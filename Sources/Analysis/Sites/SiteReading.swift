import Advertising
import Geometry
import Proximity
import Support

/// A reader of the contents of a site file from its tables.
struct SiteReading {
  let root: TOMLValue
  let outline: SiteOutline
  let path: String

  private static let arrays = ["walls", "anchors", "rooms", "spots", "regions", "floors", "wgs84"]

  func requireKnownKeys() throws(RSSIError) {
    for key in root.keys where !Self.arrays.contains(key) {
      let line = outline.entries[key]?.first?.line ?? outline.line(of: key, in: "", 0)
      throw .badSite(
        path: path, line: line,
        problem: "unknown key \"\(key.prefix(40))\"; known keys are "
          + Self.arrays.map { "[[\($0)]]" }.joined(separator: ", "))
    }
  }

  func walls() throws(RSSIError) -> [Site.Wall] {
    try each("walls", keys: ["kind", "from", "to", "points", "attenuation_db"]) {
      table throws(RSSIError) in
      let points: [Point]
      switch (
        try table.optionalPoint("from"), try table.optionalPoint("to"),
        try table.optionalPoints("points")
      ) {
      case (let from?, let to?, nil): points = [from, to]
      case (nil, nil, let corners?): points = corners
      default: throw table.problem("points", "give either from and to, or points")
      }
      let key = table.has("points") ? "points" : "to"
      guard points.count >= 2 else { throw table.problem(key, "a wall needs at least two points") }
      try table.requireSteps(points, key)
      return Site.Wall(
        points, kind: try table.optionalText("kind") ?? Site.Wall.defaultKind,
        attenuation: try table.optionalNumber("attenuation_db", in: 0...200))
    }
  }

  func anchors() throws(RSSIError) -> [Site.Anchor] {
    var seen: Set<[String]> = []
    return try each("anchors", keys: ["node", "role", "x_m", "y_m", "z_m", "measured_power_dbm"]) {
      table throws(RSSIError) in
      let node = try table.text("node")
      guard let role = Site.Anchor.Role(rawValue: try table.text("role")) else {
        throw table.problem("role", "role must be \"beacon\" or \"receiver\"")
      }
      guard seen.insert([role.rawValue, node]).inserted else {
        throw table.problem("node", "duplicate \(role) \"\(node)\"; remove one")
      }
      return Site.Anchor(
        node: node, role: role, place: try table.place(),
        height: try table.optionalCoordinate("z_m"),
        measuredPower: try table.optionalNumber("measured_power_dbm", in: -127...20))
    }
  }

  func rooms() throws(RSSIError) -> [Site.Room] {
    var seen: Set<String> = []
    return try each("rooms", keys: ["name", "polygon"]) { table throws(RSSIError) in
      let name = try table.text("name")
      guard seen.insert(name).inserted else {
        throw table.problem("name", "duplicate room \"\(name)\"; rename one")
      }
      guard var polygon = try table.optionalPoints("polygon") else {
        throw table.problem("polygon", "polygon is missing; give its corners as [[x, y], …]")
      }
      // Some programs close an outline with its first corner; the last is connected to it anyway.
      if polygon.count > 1, polygon.first == polygon.last { polygon.removeLast() }
      guard polygon.count >= 3 else {
        throw table.problem("polygon", "polygon must have at least three corners")
      }
      try table.requireSteps(polygon, "polygon")
      return Site.Room(name: name, polygon: polygon)
    }
  }

  func spots() throws(RSSIError) -> [Site.Spot] {
    var seen: Set<String> = []
    return try each("spots", keys: ["name", "x_m", "y_m", "z_m", "note"]) {
      table throws(RSSIError) in
      let name = try table.text("name")
      guard seen.insert(name).inserted else {
        throw table.problem("name", "duplicate spot \"\(name)\"; rename one")
      }
      return Site.Spot(
        name: name, place: try table.place(), height: try table.optionalCoordinate("z_m"),
        note: try table.optionalText("note"))
    }
  }

  func regions() throws(RSSIError) -> [Region] {
    var seen: Set<String> = []
    return try each("regions", keys: ["name", "beacons", "zones", "range_m"]) {
      table throws(RSSIError) in
      let name = try table.text("name")
      guard seen.insert(name).inserted else {
        throw table.problem("name", "duplicate region \"\(name)\"; rename one")
      }
      var region = Region(name: name, pattern: nil)
      if let beacons = try table.optionalText("beacons") {
        guard let pattern = BeaconPattern(beacons) else {
          throw table.problem(
            "beacons",
            "beacons must be UUID, UUID:MAJOR, UUID:MAJOR:MINOR, "
              + "eddystone-uid:NAMESPACE, or an identity"
          )
        }
        region.pattern = pattern
      }
      if let words = try table.optionalTexts("zones") {
        let zones = words.compactMap { word in Zone.allCases.first { $0.description == word } }
        guard zones.count == words.count, !zones.isEmpty else {
          throw table.problem(
            "zones", "zones must be a list of \"immediate\", \"near\", \"far\" and \"unknown\"")
        }
        region.zones = ZoneSet(zones)
      }
      region.range = try table.optionalNumber("range_m", in: 0.01...1000)
      return region
    }
  }

  func floors() throws(RSSIError) -> [Site.Floor] {
    var isFirst = true
    return try each(
      "floors", keys: ["name", "image", "scale_m", "origin", "pixels", "places"]
    ) { table throws(RSSIError) in
      guard isFirst else {
        throw table.problem(
          "name", "a site can have only one floor; remove this one")
      }
      isFirst = false
      let image = try table.text("image")
      return Site.Floor(
        name: try table.text("name"), image: besideFile(image), placement: try placement(table))
    }
  }

  /// Returns the position of the site on Earth, or `nil` if the file has none.
  func reference() throws(RSSIError) -> EarthReference? {
    var isFirst = true
    return try each("wgs84", keys: ["latitude_deg", "longitude_deg", "bearing_deg", "x_m", "y_m"]) {
      table throws(RSSIError) in
      guard isFirst else {
        throw table.problem("latitude_deg", "a site can have only one [[wgs84]]; remove this one")
      }
      isFirst = false
      guard let latitude = try table.optionalNumber("latitude_deg", in: -90...90),
        let longitude = try table.optionalNumber("longitude_deg", in: -180...180)
      else {
        throw table.problem("latitude_deg", "latitude_deg and longitude_deg are both required")
      }
      let hasPoint = table.has("x_m") || table.has("y_m")
      return EarthReference(
        of: hasPoint ? try table.place() : Point(x: 0, y: 0), latitude: latitude,
        longitude: longitude, bearing: try table.optionalNumber("bearing_deg", in: -360...360) ?? 0)
    }.first
  }

  private func placement(_ table: SiteTable) throws(RSSIError) -> Site.Floor.Placement {
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

  /// Resolves a path in the site file relative to the file's folder.
  private func besideFile(_ name: String) -> String {
    guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }

  /// Returns the elements of an array of tables, or none if the file has no such array.
  private func each<Element>(
    _ array: String, keys: [String],
    _ make: (SiteTable) throws(RSSIError) -> Element
  ) throws(RSSIError) -> [Element] {
    guard let value = root[array] else { return [] }
    guard let tables = value.array else {
      throw .badSite(
        path: path, line: outline.line(of: array, 0),
        problem: "\"\(array)\" must be an array of tables; start each with [[\(array)]]")
    }
    var elements: [Element] = []
    for (i, table) in tables.enumerated() {
      guard table.isTable else {
        throw .badSite(
          path: path, line: outline.line(of: array, i),
          problem: "\"\(array)\" must contain only tables; start each with [[\(array)]]")
      }
      elements.append(
        try make(
          try SiteTable(table, of: array, at: i, keys: keys, outline: outline, path: path)))
    }
    return elements
  }
}
