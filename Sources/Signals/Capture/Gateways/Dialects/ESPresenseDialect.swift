internal import Sightings
internal import Support

/// ESPresense: a level for each beacon and room every few seconds, without a time.
///
///     espresense/devices/iBeacon:<uuid>-100-1/kitchen
///     {"mac":"5a3f1c9d0e42","id":"iBeacon:<uuid>-100-1","rssi@1m":-59,"rssi":-72.35,"rxAdj":20,
///      "rssiVar":1.84,"distance":3.42,"var":0.21,"int":1032}
///
/// The receiver is the room, the last level of the topic. Since March 2025 `rssi` is a median over
/// 15 seconds; before, it was the level of the last advertisement, which the member `raw` beside it
/// shows. `rssi@1m` may be a setting of the room rather than of the beacon, so it is ignored.
/// Source: ESPresense, BleFingerprint.cpp.
struct ESPresenseDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["id"] != nil
      && (message.json["rssi@1m"] != nil || message.json["rssi"] != nil && isOnItsTopic(message))
      || message.ends(with: "telemetry") && message.json["adverts"] != nil
  }

  /// Returns a Boolean value that is true for the topic `espresense/devices/<beacon>/<room>`, on
  /// which a level alone is enough.
  private func isOnItsTopic(_ message: GatewayMessage) -> Bool {
    message.level(fromEnd: 2)?.elementsEqual("devices".utf8) == true
      && message.level(fromEnd: 3)?.elementsEqual("espresense".utf8) == true
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    let json = message.json
    guard let id = json["id"]?.text else { return batch.reject(.noSighting) }
    guard batch.admits(id) else { return }
    let isUnfiltered = json["raw"] != nil || json["disc"] != nil || json["idType"] != nil
    guard
      batch.setGateway(message.level(fromEnd: 0), rssiKind: isUnfiltered ? .last : .filtered)
    else { return }
    batch.addName(Self.name(id), rssi: json["rssi"], time: nil)
  }

  /// Returns the beacon's name in the form of this program; other names stay unchanged.
  private static func name(_ id: ArraySlice<UInt8>) -> String {
    if let address = BeaconText.address(id) { return address }
    let colon = id.firstIndex(of: UInt8(ascii: ":")) ?? id.endIndex
    let rest = colon == id.endIndex ? [] : id[(colon + 1)...]
    let known: String? =
      switch String(decoding: id[..<colon], as: UTF8.self) {
      case "iBeacon": BeaconText.joinedIBeacon(rest)
      case "eddy": BeaconText.joinedEddystone(rest)
      case "known": BeaconText.address(rest)
      default: nil
      }
    return known ?? String(decoding: id, as: UTF8.self)
  }
}
