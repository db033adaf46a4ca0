internal import Advertising
internal import Sightings
internal import Support

/// Ruuvi Gateway: a message per advertisement, its data in hexadecimal, times in whole seconds.
///
///     ruuvi/C8:25:2D:8E:9C:2C/D4:01:02:03:04:05
///     {"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-26,"aoa":[],"gwts":"1653668027","ts":"1653668027",
///      "data":"0201061BFF99…","coords":""}
///
/// `ts` is the time of reception by the gateway; a gateway without a clock sends `cnt` instead.
/// Source: docs.ruuvi.com, GW data formats, MQTT.
struct RuuviDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["gw_mac"] != nil && message.json["data"] != nil
      || message.ends(with: "gw_status") && message.json["state"] != nil
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    let json = message.json
    guard let data = json["data"] else { return batch.reject(.noSighting) }
    guard batch.setGateway(json["gw_mac"]?.text, rssiKind: .raw) else { return }
    batch.addData(
      of: message.level(fromEnd: 0), rssi: json["rssi"], time: GatewayTime(json["ts"])
    ) { bytes in
      data.text.map { bytes.append(hexadecimal: $0) } ?? false
    }
  }
}

/// Minew G1 and related gateways: an array, the gateway first, then a row for each advertisement.
///
///     /gw/ac233fc0bc43/status
///     [{"timestamp":"2022-01-20T13:22:49.434Z","type":"Gateway","mac":"AC233FC0BC43",…},
///      {"timestamp":…,"type":"Unknown","mac":"AC233FA03208","rssi":-79,"rawData":"0201060303…"},
///      {"timestamp":…,"type":"iBeacon","mac":…,"ibeaconUuid":…,"ibeaconMajor":1,"ibeaconMinor":2,
///       "rssi":-60,"ibeaconTxPower":-59}]
///
/// Gateways with an antenna array (AoA) omit the types, and give the frequency of each row:
///
///     [{"gateway":"ac233fc09290","timestamp":"2021-08-11T11:11:14.831Z"},
///      {"mac":"AC233FA03208","rssi":-62,"rawData":"0201…","aoa":{"frequency":2402,"iq":[…]}}]
///
/// No public message has angles beside the IQ samples. Times are ISO 8601 or Unix time in seconds or
/// milliseconds, by firmware. Rows of other types contain decoded data, so that only the address
/// identifies the beacon.
struct MinewDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    guard message.json.kind == .array else { return false }
    var rows = message.json.children
    return rows.next().map(isGateway) == true
  }

  private func isGateway(_ row: JSONElement) -> Bool {
    row["type"]?.text?.elementsEqual("Gateway".utf8) == true
      || row["type"] == nil && row["gateway"]?.text != nil
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    var gateway = message.level(before: "status")
    var sent: JSONElement?
    for row in message.json.children {
      if isGateway(row) {
        gateway = row["mac"]?.text ?? row["gateway"]?.text ?? gateway
        sent = row["timestamp"]
        continue
      }
      guard row["type"]?.text != nil || row["aoa"] != nil else {
        batch.reject(.noSighting)
        continue
      }
      guard batch.setGateway(gateway, rssiKind: .raw) else { continue }
      read(row, GatewayTime(row["timestamp"] ?? sent), into: &batch)
    }
  }

  private func read(_ row: JSONElement, _ time: GatewayTime?, into batch: inout GatewayBatch) {
    guard let channel = channel(row["aoa"]?["frequency"] ?? row["frequency"]) else {
      return batch.reject(.badField)
    }
    if row["type"]?.text?.elementsEqual("iBeacon".utf8) == true {
      let name = BeaconText.iBeacon(
        row["ibeaconUuid"]?.text, row["ibeaconMajor"]?.major, row["ibeaconMinor"]?.major)
      let power = row["ibeaconTxPower"]?.measuredPower ?? .nan
      batch.addName(name, measuredPower: power, rssi: row["rssi"], time: time, channel: channel)
    } else if let data = row["rawData"], data.text?.isEmpty != true {
      batch.addData(of: row["mac"]?.text, rssi: row["rssi"], time: time, channel: channel) {
        bytes in
        data.text.map { bytes.append(hexadecimal: $0) } ?? false
      }
    } else {
      batch.addName(
        BeaconText.address(row["mac"]?.text), rssi: row["rssi"], time: time, channel: channel)
    }
  }

  /// Returns the channel of a frequency in MHz, 255 if there is none; nil for a frequency without a
  /// channel.
  private func channel(_ frequency: JSONElement?) -> UInt8? {
    guard let frequency else { return 255 }
    return frequency.number.flatMap(RadioChannel.index(megahertz:))
  }
}
