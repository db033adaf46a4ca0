import Advertising
import Support

/// Advertising data in words: a line for each AD structure, its bytes and what they mean.
struct PayloadText {
  private let payload: [UInt8]

  init(_ payload: [UInt8]) { self.payload = payload }

  var lines: String {
    var lines = ""
    var structures = ADStructures()
    var start = 0
    while let structure = structures.next(in: payload.span) {
      let bytes = Self.hexadecimal(Array(payload[start..<structures.offset]), separator: " ")
      lines += "  \(bytes)\n    \(meaning(of: structure))\n"
      start = structures.offset
    }
    return lines
  }

  /// Bytes as upper-case hexadecimal digits.
  static func hexadecimal(_ bytes: [UInt8], separator: String = "") -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: separator)
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
      "Eddystone-TLM, battery \(frame.batteryVoltage.map { "\($0) mV" } ?? "not told"), "
        + "temperature \(frame.temperature.map { "\(decimal($0, 2)) °C" } ?? "not told"), "
        + "\(frame.advertisementCount) advertisements, "
        + "\(decimal(Double(frame.uptimeTenths) / 10, 1)) s since start"
    case .eddystoneETLM, .eddystoneEID, .other: "no frame of a beacon"
    }
  }
}
