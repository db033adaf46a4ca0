internal import Sightings

/// OpenMQTTGateway: one advertisement a message, as fields.
///
///     home/OMG_kitchen/BTtoMQTT/AABBCCDDEEFF
///     {"id":"AA:BB:CC:DD:EE:FF","mac_type":0,"adv_type":0,"rssi":-70,"manufacturerdata":"4c00…",
///      "servicedata":"…","servicedatauuid":"0xfe95","unixtime":1700000000}
///
/// The gateway is the level of the topic before `BTtoMQTT`. Time is given only if the gateway is set
/// so. Source: OpenMQTTGateway, gatewayBT.cpp.
struct OpenMQTTGatewayDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.level(before: "BTtoMQTT") != nil
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    TheengsFields(message).read(into: &batch)
  }
}

/// Theengs Gateway: the fields of OpenMQTTGateway, without time or type of advertisement.
///
///     home/TheengsGateway/BTtoMQTT/AABBCCDDEEFF
///
/// Source: Theengs Gateway, ble_gateway.py.
struct TheengsDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.level(before: "BTtoMQTT")?.elementsEqual("TheengsGateway".utf8) == true
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    TheengsFields(message).read(into: &batch)
  }
}
