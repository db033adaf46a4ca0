import Advertising
import Geometry
import Proximity
import Support

/// A reader of the contents of a site file from its tables.
struct SiteReading {
  let root: TOMLTable
  var path: String { root.path }
  /// The floors, after they were read.
  var knownFloors: [Site.Floor] = []
  /// The anchors, which must be read before the regions that name their floors.
  var knownAnchors: [Site.Anchor] = []
  /// The rooms, which must be read before the doors between them.
  var knownRooms: [Site.Room] = []

  private static let arrays = [
    "walls", "anchors", "rooms", "spots", "regions", "floors", "connections", "wgs84",
  ]

  var floorNames: [String] { knownFloors.map(\.name) }

  func requireKnownKeys() throws(RSSIError) {
    try root.requireKeys(Self.arrays) { "[[\($0)]]" }
  }

  func walls() throws(RSSIError) -> [Site.Wall] {
    try each("walls", keys: ["kind", "from", "to", "points", "attenuation_db", "floor"]) {
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
        attenuation: try table.optionalNumber("attenuation_db", in: 0...200),
        floor: try table.floor(among: floorNames))
    }
  }

  func anchors() throws(RSSIError) -> [Site.Anchor] {
    var seen: [[String]: String?] = [:]
    return try each(
      "anchors", keys: ["node", "role", "x_m", "y_m", "z_m", "measured_power_dbm", "floor"]
    ) { table throws(RSSIError) in
      let node = try table.text("node")
      guard let role = Site.Anchor.Role(rawValue: try table.text("role")) else {
        throw table.problem("role", "role must be \"beacon\" or \"receiver\"")
      }
      let floor = try table.floor(among: floorNames)
      if let other = seen.updateValue(floor, forKey: [role.rawValue, node]) {
        let places =
          if let floor, let other, floor != other {
            " on floor \"\(other)\" and on floor \"\(floor)\"; keep the one where it is"
          } else { "; remove one" }
        throw table.problem("node", "duplicate \(role.rawValue) \"\(node)\"\(places)")
      }
      return Site.Anchor(
        node: node, role: role, place: try table.place(),
        height: try table.optionalCoordinate("z_m"),
        measuredPower: try table.optionalNumber("measured_power_dbm", in: -127...20),
        floor: floor)
    }
  }

  func rooms() throws(RSSIError) -> [Site.Room] {
    var seen: Set<[String?]> = []
    return try each("rooms", keys: ["name", "polygon", "walkable", "floor"]) {
      table throws(RSSIError) in
      let name = try table.text("name")
      guard name != Site.Door.outside else {
        throw table.problem("name", "\"\(name)\" is the way out of a door; rename the room")
      }
      let floor = try table.floor(among: floorNames)
      guard seen.insert([floor ?? floorNames.first, name]).inserted else {
        throw table.problem("name", "duplicate room \"\(name)\"; rename one")
      }
      guard let polygon = try table.optionalPolygon("polygon") else {
        throw table.problem("polygon", "polygon is missing; give its corners as [[x, y], …]")
      }
      return Site.Room(
        name: name, polygon: polygon, isWalkable: try table.optionalFlag("walkable") ?? true,
        floor: floor)
    }
  }

  func spots() throws(RSSIError) -> [Site.Spot] {
    var seen: Set<[String?]> = []
    return try each("spots", keys: ["name", "x_m", "y_m", "z_m", "note", "floor"]) {
      table throws(RSSIError) in
      let name = try table.text("name")
      let floor = try table.floor(among: floorNames)
      guard seen.insert([floor, name]).inserted else {
        throw table.problem("name", "duplicate spot \"\(name)\"; rename one")
      }
      return Site.Spot(
        name: name, place: try table.place(), height: try table.optionalCoordinate("z_m"),
        note: try table.optionalText("note"), floor: floor)
    }
  }

  func regions() throws(RSSIError) -> [Region] {
    var seen: Set<String> = []
    return try each("regions", keys: ["name", "beacons", "floor", "zones", "range_m"]) {
      table throws(RSSIError) in
      let name = try table.text("name")
      guard seen.insert(name).inserted else {
        throw table.problem("name", "duplicate region \"\(name)\"; rename one")
      }
      var region = Region(name: name)
      if let floor = try table.optionalText("floor") {
        region.patterns = try beacons(onFloor: floor, of: table)
      }
      if let beacons = try table.optionalText("beacons") {
        guard let pattern = BeaconPattern(beacons) else {
          throw table.problem(
            "beacons",
            "beacons must be UUID, UUID:MAJOR, UUID:MAJOR:MINOR, "
              + "eddystone-uid:NAMESPACE, or an identity"
          )
        }
        region.patterns = [pattern]
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

  /// Returns the identities of the anchors on a floor.
  private func beacons(
    onFloor floor: String, of table: TOMLTable
  ) throws(RSSIError) -> [BeaconPattern] {
    if table.has("beacons") {
      throw table.problem("floor", "a region has beacons or a floor, not both; remove one")
    }
    _ = try table.floor(among: floorNames)
    let patterns = knownAnchors.filter { $0.role == .beacon && $0.floor == floor }
      .compactMap { BeaconPattern($0.node) }.filter { $0.identity != nil }
    guard !patterns.isEmpty else {
      throw table.problem(
        "floor", "no [[anchors]] of role \"beacon\" with an identity is on floor \"\(floor)\"")
    }
    return patterns
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

  /// Returns the elements of an array of tables, or none if the file has no such array.
  func each<Element>(
    _ array: String, keys: [String],
    _ make: (TOMLTable) throws(RSSIError) -> Element
  ) throws(RSSIError) -> [Element] {
    try root.tables(array, keys: keys).map(make)
  }
}
