import Advertising
import Capture
import Recordings
import Reporting
import Support

/// What is, or was, advertised: as a document and as text.
struct AdvertiseReport {
  var plan: AdvertisePlan
  /// What it came to; nil where nothing was sent.
  var log: BroadcastLog?

  private var frame: BeaconFrame { plan.schedule.frame }
  private var payload: [UInt8] { frame.advertisingData }
  /// The first telemetry that is sent; nil where none is.
  private var telemetry: [UInt8]? {
    guard plan.schedule.telemetry != nil else { return nil }
    return plan.schedule.frame(at: plan.schedule.firstTelemetry).advertisingData
  }

  var json: JSONValue {
    var members: [String: JSONValue] = [
      "beacon": .string(plan.identity.description), "kind": .string(plan.identity.kind.rawValue),
      "payload": .string(PayloadText.hexadecimal(payload)),
      "payload_bytes": .integer(payload.count),
      "telemetry_payload": telemetry.map { .string(PayloadText.hexadecimal($0)) } ?? .null,
      "measured_power_dbm": .number(plan.power.value),
      "measured_power_rounded_dbm": .integer(plan.power.stated),
      "ci95_dbm": .optional(plan.power.interval),
      "eddystone_tx_power_dbm": frame.power0m.map { .integer(Int($0)) } ?? .null,
      "power_source": .string(plan.power.source), "pooled": .boolean(plan.power.isPooled),
      "pdu": .string(plan.settings.isExtended ? "extended" : "legacy"),
      "phy": .string(plan.settings.phy.rawValue), "interval_s": .number(plan.settings.interval),
    ]
    guard let log, let radio = log.radio else { return .object(members) }
    members["adapter"] = .string(radio.adapter)
    members["controller"] = .string(radio.controller)
    members["address"] = .string(radio.address.description)
    members["address_type"] = .string(radio.address.type == 0 ? "public" : "random")
    members["tx_power_dbm"] = radio.txPower.map { .integer(Int($0)) } ?? .null
    members["advertised_s"] = .number((Double(log.uptime) / 1e6).rounded() / 1e3)
    members["restarts"] = .integer(log.restarts)
    return .object(members)
  }

  var text: String {
    guard let log else { return payloadText }
    guard let radio = log.radio else { return "\(plan.identity): not advertised\n" }
    let restarts = log.restarts == 0 ? "" : ", begun again \(log.restarts) ×"
    return "\(plan.identity): advertised \(log.uptimeText) by \(radio.adapter) from "
      + "\(radio.address)\(restarts)\n"
  }

  private var payloadText: String {
    let pdu = plan.settings.isExtended ? "extended advertising" : "ADV_NONCONN_IND"
    let layer = plan.settings.phy == .le1M ? "" : " on the coded physical layer"
    let power0m = frame.power0m.map { ", \($0) dBm at 0 m" } ?? ""
    var text =
      "\(plan.identity)\n\(pdu)\(layer), every \(plain(plan.settings.interval * 1000)) ms\n"
    text += "\(plan.power.stated) dBm at 1 m\(power0m), from \(plan.power.source)"
    text += plan.power.isPooled ? " (pooled)\n" : "\n"
    text +=
      "\n\(payload.count) bytes: \(PayloadText.hexadecimal(payload))\n" + PayloadText(payload).lines
    if let telemetry {
      let seconds = decimal(Double(plan.schedule.firstTelemetry) / 1e9, 1)
      text +=
        "\nafter \(seconds) s, and then every \(plain(Double(plan.schedule.period) / 1e9)) s, "
      text +=
        "\(telemetry.count) bytes: \(PayloadText.hexadecimal(telemetry))\n"
        + PayloadText(telemetry).lines
    }
    return text
  }
}
