internal import Advertising
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
///
/// Names are those of `BeaconText.espresense`. Source: ESPresense, BleFingerprint.cpp.
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
    batch.addName(BeaconText.espresense(id), rssi: json["rssi"], time: nil)
  }
}
