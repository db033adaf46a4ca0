import Geometry
import NumericalMethods
import Positioning
import Proximity
import Sightings
import Support
import TracePipelines

/// An entity that Home Assistant shows for a device.
enum HomeAssistantEntity: String, CaseIterable {
  case tracker, room, floor, distance, zone, level, receiver
}

/// Announces entities, as MQTT discovery of Home Assistant has it.
///
/// Source: the documentation of its integrations MQTT, MQTT sensor and MQTT device tracker
/// (2024.3).
struct HomeAssistantAnnouncement {
  /// The prefix of the state topics.
  let prefix: String
  let version: String

  /// The prefix as part of an identifier, so that two programs at a broker have devices of their
  /// own.
  private var identifier: String { prefix.replacing("/", with: "_") }

  func stateTopic(_ device: HomeAssistantDevice) -> String { "\(prefix)/\(device.slug)/state" }

  /// The retained message that announces an entity of a device.
  func message(
    of entity: HomeAssistantEntity, _ device: HomeAssistantDevice
  ) -> (topic: String, payload: String) {
    let kind = entity == .tracker ? "device_tracker" : "sensor"
    let node = "\(identifier)_\(device.slug)"
    let payload = JSONWriter.line(escapes: .short) { json in
      json.member("name", entity.name)
      json.member("unique_id", "\(node)_\(entity.rawValue)")
      json.member("state_topic", stateTopic(device))
      json.member("value_template", "{{ value_json.\(entity.key) }}")
      json.member("availability_topic", prefix + "/status")
      for (name, value) in entity.members { json.member(name, value) }
      if entity == .zone {
        json.key("options")
        json.array { list in for zone in Zone.allCases { list.string(zone.description) } }
      }
      if !entity.attributes.isEmpty {
        let attributes = entity.attributes.map { "'\($0)': value_json.\($0)" }
        json.member("json_attributes_topic", stateTopic(device))
        json.member(
          "json_attributes_template", "{{ {\(attributes.joined(separator: ", "))} | tojson }}")
      }
      json.key("device")
      json.object { json in
        json.key("identifiers")
        json.array { $0.string(node) }
        json.member("name", device.label)
        json.member("model", device.id)
      }
      json.key("origin")
      json.object { json in
        json.member("name", "rssi")
        json.member("sw_version", version)
      }
    }
    return ("homeassistant/\(kind)/\(node)/\(entity.rawValue)/config", String(payload.dropLast()))
  }
}

extension HomeAssistantEntity {
  /// As people read it after the name of the device.
  fileprivate var name: String {
    switch self {
    case .tracker: "Tracker"
    case .room: "Room"
    case .floor: "Floor"
    case .distance: "Distance"
    case .zone: "Zone"
    case .level: "RSSI"
    case .receiver: "Receiver"
    }
  }

  /// The member of the state that is its value.
  fileprivate var key: String {
    switch self {
    case .distance: "distance_m"
    case .level: "rssi_dbm"
    default: rawValue
    }
  }

  /// The members of the state that are shown as attributes.
  fileprivate var attributes: [String] {
    switch self {
    case .room:
      [
        "room_probability", "rooms", "room_since", "spot", "x_m", "y_m", "semi_major_95_m",
        "semi_minor_95_m",
      ]
    case .floor: ["floor_probability"]
    case .distance: ["ci95_lower_m", "ci95_upper_m"]
    default: []
    }
  }

  fileprivate var members: [(String, String)] {
    switch self {
    case .tracker:
      [
        ("source_type", "bluetooth_le"), ("payload_home", "home"),
        ("payload_not_home", "not_home"),
      ]
    case .room: [("icon", "mdi:floor-plan")]
    case .floor: [("icon", "mdi:layers")]
    case .distance:
      [("device_class", "distance"), ("unit_of_measurement", "m"), ("state_class", "measurement")]
    case .zone: [("device_class", "enum")]
    case .level:
      [
        ("device_class", "signal_strength"), ("unit_of_measurement", "dBm"),
        ("state_class", "measurement"),
      ]
    case .receiver: [("icon", "mdi:access-point")]
    }
  }
}

/// The published state of a tracked node.
struct HomeAssistantDevice {
  let id: String
  let label: String
  /// Part of topics and identifiers: letters and digits, one of a kind.
  let slug: String
  var place: LocatedPosition?
  var placedAt: Int64 = 0
  /// A Boolean value that is true if the node is located.
  var isLocated = false
  /// A Boolean value that is true if the node was located on a floor of a building.
  var isInBuilding = false
  var link: (beacon: RangedBeacon, receiver: String)?
  /// A Boolean value that is true if it has no name and was not asked for.
  var isStranger = false
  /// The time at which it was heard last, by the time of sightings.
  var heard: Int64 = 0
  var announced: Set<HomeAssistantEntity> = []
  /// The time of the last publication, by a monotonic clock.
  var published: Int64?

  init(id: String, label: String) {
    (self.id, self.label) = (id, String(label.prefix(128)))
    let letters = id.lowercased().utf8.prefix(48).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    // Two identities may have the same letters.
    slug = String(decoding: letters, as: UTF8.self) + "_" + sha256(Array(id.utf8).span).prefix(8)
  }

  /// The entities of the device.
  var entities: [HomeAssistantEntity] {
    [.tracker] + (isLocated ? [.room] : []) + (isInBuilding ? [.floor] : [])
      + (link == nil ? [] : [.distance, .zone, .level, .receiver])
  }

  private var isHome: Bool { place != nil || link?.beacon.isHeard == true }

  /// One JSON object, the same for the same values.
  var state: String {
    String(
      JSONWriter.line(escapes: .short) { json in
        json.member("tracker", isHome ? "home" : "not_home")
        if isLocated { addPlace(to: &json) }
        if let link { add(link.beacon, at: link.receiver, to: &json) }
      }.dropLast())
  }

  private func addPlace(to json: inout JSONWriter) {
    json.member("room", place?.room)
    json.member("room_probability", written: place?.roomProbability.map { decimal($0, 4) })
    json.member("room_since", place?.roomSince.map { Timestamp.iso8601($0) })
    json.key("rooms")
    json.object { json in
      for (name, probability) in place?.candidates ?? [] {
        json.member(name, written: decimal(probability, 2))
      }
    }
    json.member("spot", place?.spot)
    if isInBuilding {
      json.member("floor", place?.floor)
      json.member(
        "floor_probability", written: place?.floorProbability.map { decimal($0, 4) })
    }
    let position = place?.estimate?.position
    for (name, value) in [
      ("x_m", position?.x), ("y_m", position?.y), ("semi_major_95_m", place?.ellipse?.semiMajor),
      ("semi_minor_95_m", place?.ellipse?.semiMinor),
    ] { json.member(name, written: value.map { decimal($0, 2) }) }
  }

  private func add(_ beacon: RangedBeacon, at receiver: String, to json: inout JSONWriter) {
    let distance = beacon.isHeard ? beacon.distance : nil
    for (name, value) in [
      ("distance_m", distance?.distance), ("ci95_lower_m", distance?.interval?.lower),
      ("ci95_upper_m", distance?.interval?.upper),
    ] { json.member(name, written: value.flatMap { $0.isFinite ? decimal($0, 2) : nil }) }
    json.member("zone", beacon.isHeard ? beacon.zone.description : nil)
    json.member(
      "rssi_dbm", written: beacon.isHeard && beacon.level.isFinite ? decimal(beacon.level, 1) : nil
    )
    json.member("receiver", beacon.isHeard ? receiver : nil)
  }
}
