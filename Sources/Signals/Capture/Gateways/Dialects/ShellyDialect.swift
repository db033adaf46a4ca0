internal import Sightings
internal import Support

/// Shelly devices of the second generation and later with a script that sends the results of
/// `BLE.Scanner`.
///
///     shellyplus1-08b61fd9333c/events/rpc
///     {"src":"shellyplus1-08b61fd9333c","method":"NotifyEvent","params":{"ts":1736605194.11,
///      "events":[{"component":"script:1","event":"ble.scan_result","ts":1736605194.11,"data":
///       [2,[["aa:bb:cc:dd:ee:ff",-63,"AgEGGv9M…","…"],…]]}]}}
///
/// Version 1 of `data` is `[1, address, rssi, data, scan response]`; both in base64. The time is
/// that of the event's transmission, up to 16 advertisements after the reception of the first. A
/// scan response replaces an empty advertisement, since its level is the same number. Source:
/// Shelly Gen2 API, RPC notifications; the script of Home Assistant (aioshelly).
struct ShellyDialect: GatewayDialect {
  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["src"] != nil && message.json["method"]?.text?.starts(with: "Notify".utf8) == true
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    guard let parameters = message.json["params"], let events = parameters["events"] else {
      return batch.reject(.noSighting)
    }
    guard batch.setGateway(message.json["src"]?.text, rssiKind: .raw) else { return }
    for event in events.children {
      guard event["event"]?.text?.elementsEqual("ble.scan_result".utf8) == true else {
        batch.reject(.noSighting)
        continue
      }
      read(event["data"], GatewayTime(event["ts"] ?? parameters["ts"]), into: &batch)
    }
  }

  private func read(_ data: JSONElement?, _ time: GatewayTime?, into batch: inout GatewayBatch) {
    var fields = data?.children
    switch fields?.next()?.number {
    case 1: addResult(fields, time, into: &batch)
    case 2:
      guard let results = fields?.next() else { return batch.reject(.noSighting) }
      for result in results.children { addResult(result.children, time, into: &batch) }
    default: batch.reject(.noSighting)
    }
  }

  private func addResult(
    _ fields: JSONElement.Children?, _ time: GatewayTime?, into batch: inout GatewayBatch
  ) {
    var fields = fields
    let address = fields?.next()
    let rssi = fields?.next()
    let advertisement = fields?.next()?.text ?? []
    let response = fields?.next()?.text ?? []
    batch.addData(of: address?.text, rssi: rssi, time: time) { bytes in
      bytes.append(base64: advertisement.isEmpty ? response : advertisement)
    }
  }
}
