internal import Advertising
internal import Sightings
internal import Support

/// OpenMQTTGateway: a message per advertisement, as fields.
///
///     home/OMG_kitchen/BTtoMQTT/AABBCCDDEEFF
///     {"id":"AA:BB:CC:DD:EE:FF","mac_type":0,"adv_type":0,"rssi":-70,"manufacturerdata":"4c00…",
///      "servicedata":"…","servicedatauuid":"0xfe95","unixtime":1700000000}
///
/// The gateway is the level of the topic before `BTtoMQTT`. The time depends on the gateway's
/// settings. Source: OpenMQTTGateway, gatewayBT.cpp.
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

/// The fields of an advertisement as OpenMQTTGateway and Theengs Gateway name them.
///
/// Manufacturer and service data are converted back to AD structures, in that order; flags, names
/// and the rest are missing, so the data are marked as incomplete. Without both, the beacon is
/// named by the gateway's decoded data, or by its address.
struct TheengsFields {
  private let message: GatewayMessage
  private var json: JSONElement { message.json }

  init(_ message: GatewayMessage) { self.message = message }

  func read(into batch: inout GatewayBatch) {
    guard json["id"] != nil, json["rssi"] != nil else { return batch.reject(.noSighting) }
    let gateway = message.level(before: "BTtoMQTT") ?? message.level(fromEnd: 1)
    guard batch.setGateway(gateway, rssiKind: .raw) else { return }
    let time = GatewayTime(json["unixtime"] ?? json["UTCtime"])
    if json["manufacturerdata"] != nil || json["servicedata"] != nil {
      batch.addData(
        of: json["id"]?.text, addressType: addressType, eventType: eventType, rssi: json["rssi"],
        time: time, isRebuilt: true, append: appendStructures)
    } else {
      let name =
        json["uuid"] == nil
        ? BeaconText.address(json["id"]?.text)
        : BeaconText.iBeacon(json["uuid"]?.text, json["major"]?.major, json["minor"]?.major)
      let power = json["uuid"] == nil ? .nan : json["txpower"]?.measuredPower ?? .nan
      batch.addName(name, measuredPower: power, rssi: json["rssi"], time: time)
    }
  }

  private var addressType: UInt8 {
    json["mac_type"]?.number.flatMap { UInt8(exactly: $0) }.flatMap { $0 <= 3 ? $0 : nil } ?? 0
  }

  /// The type of a legacy advertisement in the form of extended ones; unknown for a scan response,
  /// because the type of its advertisement is missing.
  private var eventType: UInt16 {
    switch json["adv_type"]?.number {
    case 0: 0x13
    case 1: 0x15
    case 2: 0x12
    case 3: 0x10
    default: Sighting.unknownEventType
    }
  }

  /// Appends the structures; returns false if there is none or one is damaged.
  private func appendStructures(to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    if let data = json["manufacturerdata"] {
      guard append(ADStructure.manufacturerData, nil, data, to: &bytes) else { return false }
    }
    if let data = json["servicedata"], let uuid = json["servicedatauuid"]?.text {
      var id: [UInt8] = []
      let digits = uuid.filter { $0 != UInt8(ascii: "-") }
      let start = digits.starts(with: "0x".utf8) ? 2 : 0
      guard id.append(hexadecimal: digits[start...]), let type = Self.serviceDataType(id.count)
      else { return false }
      guard append(type, id.reversed(), data, to: &bytes) else { return false }
    }
    return bytes.count > start
  }

  /// Returns the type of service data by the length of their UUID in bytes.
  private static func serviceDataType(_ length: Int) -> UInt8? {
    switch length {
    case 2: ADStructure.serviceData16
    case 4: 0x20
    case 16: 0x21
    default: nil
    }
  }

  private func append(
    _ type: UInt8, _ uuid: [UInt8]?, _ data: JSONElement, to bytes: inout [UInt8]
  ) -> Bool {
    let start = bytes.count
    bytes += [0, type] + (uuid ?? [])
    guard let text = data.text, bytes.append(hexadecimal: text) else { return false }
    guard let length = UInt8(exactly: bytes.count - start - 1) else { return false }
    bytes[start] = length
    return true
  }
}
