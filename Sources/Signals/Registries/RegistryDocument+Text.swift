import Support

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
  fileprivate var json: String {
    var json = JSONWriter(.spaced)
    json.object { json in
      json.member("id", "\(identity)")
      if let name { json.member("name", name) }
      if let description { json.member("description", description) }
      for (key, value) in [
        ("x_m", x), ("y_m", y), ("z_m", z), ("measured_power_dbm", measuredPower),
        ("range_m", range),
      ] {
        if let value { json.member(key, number: value) }
      }
      guard !notes.isEmpty else { return }
      json.key("notes")
      json.object { json in
        for (key, note) in notes.sorted(by: { $0.key < $1.key }) { json.member(key, note) }
      }
    }
    return json.text
  }
}

extension RegistrySource {
  fileprivate var json: String {
    var json = JSONWriter(.spaced)
    json.object { json in
      json.member("url", url)
      if let etag { json.member("etag", etag) }
      if let lastModified { json.member("last_modified", lastModified) }
      json.member("fetched", fetched)
      json.member("sha256", sha256)
    }
    return json.text
  }
}
