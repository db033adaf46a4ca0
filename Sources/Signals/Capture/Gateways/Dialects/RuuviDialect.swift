internal import Sightings
internal import Support

/// Ruuvi Gateway: one advertisement a message, its data in hexadecimal, times in whole seconds.
///
///     ruuvi/C8:25:2D:8E:9C:2C/D4:01:02:03:04:05
///     {"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-26,"aoa":[],"gwts":"1653668027","ts":"1653668027",
///      "data":"0201061BFF99…","coords":""}
///
/// `ts` is when the gateway received it; a gateway without a clock sends `cnt` instead.
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
