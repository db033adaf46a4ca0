internal import Sightings
internal import Support

/// Minew G1 and its kin: an array, the gateway first, then a row for each advertisement.
///
///     /gw/ac233fc0bc43/status
///     [{"timestamp":"2022-01-20T13:22:49.434Z","type":"Gateway","mac":"AC233FC0BC43",…},
///      {"timestamp":…,"type":"Unknown","mac":"AC233FA03208","rssi":-79,"rawData":"0201060303…"},
///      {"timestamp":…,"type":"iBeacon","mac":…,"ibeaconUuid":…,"ibeaconMajor":1,"ibeaconMinor":2,
///       "rssi":-60,"ibeaconTxPower":-59}]
///
/// Times are ISO 8601 or Unix time in seconds or milliseconds, by firmware. Rows of other types
/// hold what the gateway decoded, so that only the address is left of the beacon.
struct MinewDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    guard message.json.kind == .array else { return false }
    var rows = message.json.children
    return rows.next()?["type"]?.text?.elementsEqual("Gateway".utf8) == true
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    var gateway = message.level(before: "status")
    for row in message.json.children {
      guard let type = row["type"]?.text else {
        batch.reject(.noSighting)
        continue
      }
      if type.elementsEqual("Gateway".utf8) {
        gateway = row["mac"]?.text ?? gateway
        continue
      }
      guard batch.setGateway(gateway, rssiKind: .raw) else { continue }
      read(row, type, into: &batch)
    }
  }

  private func read(_ row: JSONElement, _ type: ArraySlice<UInt8>, into batch: inout GatewayBatch) {
    let time = GatewayTime(row["timestamp"])
    if type.elementsEqual("iBeacon".utf8) {
      let name = BeaconText.iBeacon(
        row["ibeaconUuid"]?.text, row["ibeaconMajor"]?.major, row["ibeaconMinor"]?.major)
      let power = row["ibeaconTxPower"]?.measuredPower ?? .nan
      batch.addName(name, measuredPower: power, rssi: row["rssi"], time: time)
    } else if let data = row["rawData"], data.text?.isEmpty != true {
      batch.addData(of: row["mac"]?.text, rssi: row["rssi"], time: time) { bytes in
        data.text.map { bytes.append(hexadecimal: $0) } ?? false
      }
    } else {
      batch.addName(BeaconText.address(row["mac"]?.text), rssi: row["rssi"], time: time)
    }
  }
}
