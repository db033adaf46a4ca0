internal import Sightings
internal import Support

/// Tasmota's IBEACON driver: the last level of a beacon in ten seconds.
///
///     tele/kitchen/SENSOR
///     {"Time":"2021-02-04T23:20:22","IBEACON":{"UID":"<32 digits>","MAJOR":"0001","MINOR":"0002",
///      "MAC":"FFFFA0003B19","RSSI":-81,"STATE":"ON","PERSEC":10}}
///
/// Major and minor are hexadecimal; a beacon that is not an iBeacon has none. `Time` is local time of
/// an unknown zone, so that only the arrival is of use. RSSI 0 with STATE OFF means that the beacon
/// is gone. The receiver is called `kitchen/IBEACON`, apart from `kitchen`, whose levels are raw.
/// Source: Tasmota, xsns_52_esp32_ibeacon_ble.ino.
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
