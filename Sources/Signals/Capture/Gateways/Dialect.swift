/// The message formats of gateways, by the names that `--dialect` takes.
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
  /// The format of this program.
  case rssi
  case uBlox = "u-blox"

  /// The JSON dialects in the order in which they are tried: Theengs before OpenMQTTGateway, whose
  /// messages differ only in the name.
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

/// A message format of gateways.
protocol GatewayDialect {
  /// Returns a Boolean value that is true if a message is in this dialect, judged by its topic and
  /// its members.
  func recognises(_ message: GatewayMessage) -> Bool

  /// Adds every sighting of a message to the batch, and counts refused ones; the message may be any
  /// JSON.
  mutating func read(_ message: GatewayMessage, into batch: inout GatewayBatch)
}
