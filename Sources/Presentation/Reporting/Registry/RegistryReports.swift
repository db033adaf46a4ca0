import Advertising
package import Registries
package import Support

extension RegistryUpdate {
  /// - Parameter path: where the registry is kept.
  package func text(at path: String) -> String {
    var text =
      "\(path.printable): \(counted(registry.beacons.count, "beacon")), \(result.rawValue)"
    if result == .updated { text += ": \(added) added, \(removed) removed, \(changed) changed" }
    return text + "\n"
  }

  package func json(at path: String, from address: RegistryAddress) -> JSONValue {
    [
      "path": path, "url": address.shown, "result": result.rawValue,
      "beacons": registry.beacons.count, "refused": refused,
      "added": added, "removed": removed, "changed": changed,
    ]
  }
}

extension RegistryCheck {
  /// - Parameters:
  ///   - path: the registry.
  ///   - beacons: how many it has.
  package func text(of path: String, beacons: Int) -> String {
    var text = ""
    for finding in findings {
      let padding = finding.severity == .error ? "    " : "  "
      text += finding.severity.rawValue + padding + finding.message.printable + "\n"
    }
    return text + "\(path.printable): \(counted(beacons, "beacon")), "
      + "\(counted(count(.error), "error")), \(counted(count(.warning), "warning"))\n"
  }

  package func json(of path: String, beacons: Int) -> JSONValue {
    [
      "path": path, "beacons": beacons, "errors": count(.error), "warnings": count(.warning),
      "findings": findings.map { finding -> JSONValue in
        [
          "severity": finding.severity.rawValue, "kind": finding.kind.rawValue,
          "places": finding.places, "beacons": finding.beacons.map { "\($0)" },
          "message": finding.message,
        ]
      },
    ]
  }
}

extension RegistryDocument {
  /// The beacons as a table.
  ///
  /// - Parameter path: the registry.
  package func table(of path: String) -> String {
    let beacons = registry.beacons
    let table = ReportTable(
      of: beacons,
      [
        .text("name", least: 0) { .name($0.name ?? "–") },
        .number("beacon") { .name("\($0.identity)") }, .number("x m") { .exact($0.x) },
        .number("y m") { .exact($0.y) }, .number("z m") { .exact($0.z) },
        .number("P(1 m) dBm") { .exact($0.measuredPower) }, .number("range m") { .exact($0.range) },
      ])
    return "\(path.printable): \(counted(beacons.count, "beacon"))\n"
      + (beacons.isEmpty ? "" : table.text)
      + (source.map { "fetched from \($0.url.printable) at \($0.fetched)\n" } ?? "")
  }
}
