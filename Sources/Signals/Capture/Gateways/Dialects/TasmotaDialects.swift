internal import Advertising
internal import Sightings
internal import Support

/// Tasmota with `BLEDetails`: a message per advertisement, its data in hexadecimal, without a time.
///
///     tele/kitchen/BLE
///     {"details":{"mac":"F438B7A648DC","RSSI":-70,"p":"0201061AFF4C00…","lost":true}}
///
/// The gateway is the level of the topic before the last. `lost` means that other advertisements
/// were not sent. Source: Tasmota, xdrv_79_esp32_ble.ino.
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

/// Tasmota's IBEACON driver: the last level of a beacon in ten seconds.
///
///     tele/kitchen/SENSOR
///     {"Time":"2021-02-04T23:20:22","IBEACON":{"UID":"<32 digits>","MAJOR":"0001","MINOR":"0002",
///      "MAC":"FFFFA0003B19","RSSI":-81,"STATE":"ON","PERSEC":10}}
///
/// Major and minor are hexadecimal; a beacon that is not an iBeacon has none. `Time` is local time
/// of an unknown zone, so that only the arrival is usable. RSSI 0 with STATE OFF means that the
/// beacon is gone. The receiver is called `kitchen/IBEACON`, to separate it from `kitchen`, whose
/// levels are raw. Source: Tasmota, xsns_52_esp32_ibeacon_ble.ino.
struct TasmotaIBeaconDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["IBEACON"]?["MAC"] != nil
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    guard let beacon = message.json["IBEACON"] else { return batch.reject(.noSighting) }
    if beacon["STATE"]?.text?.elementsEqual("OFF".utf8) == true { return batch.reject(.gone) }
    let gateway = message.level(fromEnd: 1)
    guard batch.setGateway(gateway, suffix: "/IBEACON", rssiKind: .last) else { return }
    let name =
      beacon["UID"] == nil
      ? BeaconText.address(beacon["MAC"]?.text)
      : BeaconText.iBeacon(
        beacon["UID"]?.text, beacon["MAJOR"]?.text.flatMap(BeaconText.hexadecimal),
        beacon["MINOR"]?.text.flatMap(BeaconText.hexadecimal))
    batch.addName(name, rssi: beacon["RSSI"], time: nil)
  }
}
