/// The ways in which gateways write what they heard, by the names that `--dialect` takes.
package enum Dialect: String, CaseIterable, Sendable {
  case ruuvi
  case minew
  case tasmota
  case tasmotaIBeacon = "tasmota-ibeacon"
  case openMQTTGateway = "openmqttgateway"
  case theengs
  case shelly
  case espresense
  case roomAssistant = "room-assistant"
  /// That of this program.
  case rssi
  case uBlox = "u-blox"

  /// The dialects of JSON, in the order in which they are asked whether a message is theirs:
  /// Theengs before OpenMQTTGateway, whose messages look the same but for the name.
  static let byRecognition: [Dialect] = [
    .rssi, .ruuvi, .minew, .theengs, .openMQTTGateway, .shelly, .tasmota, .tasmotaIBeacon,
    .espresense, .roomAssistant,
  ]

  /// The reader of the dialect.
  var reader: any GatewayDialect {
    switch self {
    case .ruuvi: RuuviDialect()
    case .minew: MinewDialect()
    case .tasmota: TasmotaDialect()
    case .tasmotaIBeacon: TasmotaIBeaconDialect()
    case .openMQTTGateway: OpenMQTTGatewayDialect()
    case .theengs: TheengsDialect()
    case .shelly: ShellyDialect()
    case .espresense: ESPresenseDialect()
    case .roomAssistant: RoomAssistantDialect()
    case .rssi: RSSIDialect()
    case .uBlox: UBloxDialect()
    }
  }
}

/// One way in which gateways write what they heard.
protocol GatewayDialect {
  /// Returns true if a message is in this dialect, stated by its topic and what it holds.
  func recognises(_ message: GatewayMessage) -> Bool

  /// Takes every sighting of a message, and counts what is none; the message may be any JSON.
  mutating func read(_ message: GatewayMessage, into batch: inout GatewayBatch)
}
