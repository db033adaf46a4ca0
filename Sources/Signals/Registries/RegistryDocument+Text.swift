extension RegistryDocument {
  /// The document as files keep it: JSON, one beacon a line, so that two can be compared line by
  /// line.
  ///
  /// The same beacons give the same bytes.
  package var text: String {
    var text = "{\"format\": \"rssi-registry\", \"format_version\": 1,\n"
    if let source { text += " \"source\": \(source.json),\n" }
    text += " \"beacons\": ["
    for (index, beacon) in beacons.enumerated() {
      text += (index == 0 ? "\n  " : ",\n  ") + beacon.json
    }
    return text + (beacons.isEmpty ? "]}\n" : "\n ]}\n")
  }
}

extension RegisteredBeacon {
  /// One JSON object on one line; what is not known is left out.
  var json: String {
    var members = [("id", jsonString("\(identity)"))]
    if let name { members.append(("name", jsonString(name))) }
    if let description { members.append(("description", jsonString(description))) }
    for (key, value) in [
      ("x_m", x), ("y_m", y), ("z_m", z), ("measured_power_dbm", measuredPower), ("range_m", range),
    ] {
      if let value { members.append((key, number(value))) }
    }
    if !notes.isEmpty {
      members.append(
        ("notes", object(notes.sorted { $0.key < $1.key }.map { ($0, jsonString($1)) })))
    }
    return object(members)
  }
}

extension RegistrySource {
  fileprivate var json: String {
    var members = [("url", jsonString(url))]
    if let etag { members.append(("etag", jsonString(etag))) }
    if let lastModified { members.append(("last_modified", jsonString(lastModified))) }
    return object(members + [("fetched", jsonString(fetched)), ("sha256", jsonString(sha256))])
  }
}

private func object(_ members: [(String, String)]) -> String {
  "{" + members.map { jsonString($0) + ": " + $1 }.joined(separator: ", ") + "}"
}

private func number(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}

/// A text as JSON: quotes, backslashes and control characters escaped.
func jsonString(_ text: String) -> String {
  var bytes: [UInt8] = [UInt8(ascii: "\"")]
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default: bytes.append(byte)
    }
  }
  bytes.append(UInt8(ascii: "\""))
  return String(decoding: bytes, as: UTF8.self)
}
