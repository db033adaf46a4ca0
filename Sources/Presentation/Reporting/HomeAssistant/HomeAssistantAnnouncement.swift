import Proximity
import Support

/// What Home Assistant shows of a device.
enum HomeAssistantEntity: String, CaseIterable {
  case tracker, room, distance, zone, level, receiver
}

/// Announces entities, as MQTT discovery of Home Assistant has it.
///
/// Source: the documentation of its integrations MQTT, MQTT sensor and MQTT device tracker (2024.3).
struct HomeAssistantAnnouncement {
  /// Of the topics of states.
  let prefix: String
  let version: String

  /// The prefix as part of an identifier, so that two programs at a broker have devices of their own.
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

  /// Members of the state that are shown beside its value.
  fileprivate var attributes: [String] {
    switch self {
    case .room: ["spot", "x_m", "y_m", "semi_major_95_m", "semi_minor_95_m"]
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
