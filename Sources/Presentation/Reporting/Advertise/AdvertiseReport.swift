import Advertising
import Capture
package import LivePipelines
package import Support
import TracePipelines

/// The advertisement and its figures, as a document and as text.
package struct AdvertiseReport {
  private let request: AdvertiseRequest
  private let outcome: AdvertiseResult?

  /// - Parameter outcome: the outcome; nil if nothing was sent.
  package init(_ request: AdvertiseRequest, _ outcome: AdvertiseResult?) {
    (self.request, self.outcome) = (request, outcome)
  }

  private var frame: BeaconFrame { request.schedule.frame }
  private var payload: [UInt8] { frame.advertisingData }
  /// The first telemetry; nil for none.
  private var telemetry: [UInt8]? {
    guard request.schedule.telemetry != nil else { return nil }
    return request.schedule.frame(at: request.schedule.firstTelemetry).advertisingData
  }

  package var json: JSONValue {
    var json: JSONValue = [
      "beacon": request.identity.description, "kind": request.identity.kind.rawValue,
      "payload": hexadecimal(payload, uppercase: true), "payload_bytes": payload.count,
      "telemetry_payload": telemetry.map { hexadecimal($0, uppercase: true) },
      "measured_power_dbm": request.power.value,
      "measured_power_rounded_dbm": request.power.advertised,
      "ci95_dbm": request.power.interval, "eddystone_tx_power_dbm": frame.power0m.map { Int($0) },
      "power_source": request.power.source, "pooled": request.power.isPooled,
      "pdu": request.settings.isExtended ? "extended" : "legacy",
      "phy": request.settings.phy.rawValue, "interval_s": request.settings.interval,
    ]
    guard let outcome, let radio = outcome.radio else { return json }
    json["adapter"] = radio.adapter
    json["controller"] = radio.controller
    json["address"] = radio.address.description
    json["address_type"] = radio.address.type == 0 ? "public" : "random"
    json["tx_power_dbm"] = radio.txPower.map { Int($0) }
    json["advertised_s"] = (Double(outcome.uptime) / 1e6).rounded() / 1e3
    json["restarts"] = outcome.restarts
    return json
  }

  package var text: String {
    guard let outcome else { return payloadText }
    guard let radio = outcome.radio else { return "\(request.identity): not advertised\n" }
    let restarts = outcome.restarts == 0 ? "" : ", restarted \(outcome.restarts) ×"
    return "\(request.identity): advertised \(outcome.uptimeText) by \(radio.adapter) from "
      + "\(radio.address)\(restarts)\n"
  }

  private var payloadText: String {
    let pdu = request.settings.isExtended ? "extended advertising" : "ADV_NONCONN_IND"
    let layer = request.settings.phy == .le1M ? "" : " on the coded physical layer"
    let power0m = frame.power0m.map { ", \($0) dBm at 0 m" } ?? ""
    var text =
      "\(request.identity)\n\(pdu)\(layer), every \(plain(request.settings.interval * 1000)) ms\n"
    text += "\(request.power.advertised) dBm at 1 m\(power0m), from \(request.power.source)"
    text += request.power.isPooled ? " (pooled)\n" : "\n"
    text +=
      "\n\(payload.count) bytes: \(hexadecimal(payload, uppercase: true))\n"
      + PayloadText(payload).lines
    if let telemetry {
      let seconds = decimal(Double(request.schedule.firstTelemetry) / 1e9, 1)
      text +=
        "\nafter \(seconds) s, and then every \(plain(Double(request.schedule.period) / 1e9)) s, "
      text +=
        "\(telemetry.count) bytes: \(hexadecimal(telemetry, uppercase: true))\n"
        + PayloadText(telemetry).lines
    }
    return text
  }
}

/// Advertising data in words: one line per AD structure, with its bytes and their meaning.
private struct PayloadText {
  private let payload: [UInt8]

  init(_ payload: [UInt8]) { self.payload = payload }

  var lines: String {
    var lines = ""
    var structures = ADStructures()
    var start = 0
    while let structure = structures.next(in: payload.span) {
      let bytes = hexadecimal(
        payload[start..<structures.offset], uppercase: true, separator: " ")
      lines += "  \(bytes)\n    \(meaning(of: structure))\n"
      start = structures.offset
    }
    return lines
  }

  private func meaning(of structure: ADStructure) -> String {
    switch structure.type {
    case ADStructure.flags: "flags: general discoverable, no BR/EDR"
    case ADStructure.completeServiceUUIDs16: "services: 0xFEAA, Eddystone"
    case ADStructure.serviceData16: "data of the service 0xFEAA: \(frame)"
    case ADStructure.manufacturerData: "data of a manufacturer: \(frame)"
    default: "type \(structure.type)"
    }
  }

  private var frame: String {
    switch BeaconFrame(payload: payload.span) {
    case .iBeacon(let frame):
      "iBeacon \(frame.uuid), major \(frame.major), minor \(frame.minor), \(frame.measuredPower) "
        + "dBm at 1 m"
    case .altBeacon(let frame):
      "AltBeacon \(frame.id) of company \(frame.company), \(frame.measuredPower) dBm at 1 m"
    case .eddystoneUID(let frame):
      "Eddystone-UID \(frame.namespace), \(frame.instance), \(frame.power0m) dBm at 0 m"
    case .eddystoneURL(let frame): "Eddystone-URL \(frame.url), \(frame.power0m) dBm at 0 m"
    case .eddystoneTLM(let frame):
      "Eddystone-TLM, battery \(frame.batteryVoltage.map { "\($0) mV" } ?? "unknown"), "
        + "temperature \(frame.temperature.map { "\(decimal($0, 2)) °C" } ?? "unknown"), "
        + "\(frame.advertisementCount) advertisements, "
        + "\(decimal(Double(frame.uptimeTenths) / 10, 1)) s since start"
    case .eddystoneETLM, .eddystoneEID, .other: "not a beacon frame"
    }
  }
}
