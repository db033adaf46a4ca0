internal import Sightings
internal import Support

/// Tasmota with `BLEDetails`: one advertisement a message, its data in hexadecimal, without a time.
///
///     tele/kitchen/BLE
///     {"details":{"mac":"F438B7A648DC","RSSI":-70,"p":"0201061AFF4C00…","lost":true}}
///
/// The gateway is the level of the topic before the last. `lost` states that others were not sent.
/// Source: Tasmota, xdrv_79_esp32_ble.ino.
struct TasmotaDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["details"]?["mac"] != nil
      || message.ends(with: "BLE")
        && (message.json["BLEDevices"] != nil || message.json["BLE"] != nil)
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    guard let details = message.json["details"] else { return batch.reject(.noSighting) }
    guard batch.setGateway(message.level(fromEnd: 1), rssiKind: .raw) else { return }
    if details["lost"]?.kind == .true { batch.reject(.lostByGateway) }
    batch.addData(of: details["mac"]?.text, rssi: details["RSSI"], time: nil) { bytes in
      details["p"]?.text.map { bytes.append(hexadecimal: $0) } ?? false
    }
  }
}
