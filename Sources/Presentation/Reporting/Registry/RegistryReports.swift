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
    .object([
      "path": .string(path), "url": .string(address.shown), "result": .string(result.rawValue),
      "beacons": .integer(registry.beacons.count), "refused": .integer(refused),
      "added": .integer(added), "removed": .integer(removed), "changed": .integer(changed),
    ])
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
    .object([
      "path": .string(path), "beacons": .integer(beacons), "errors": .integer(count(.error)),
      "warnings": .integer(count(.warning)),
      "findings": .array(
        findings.map { finding in
          .object([
            "severity": .string(finding.severity.rawValue), "kind": .string(finding.kind.rawValue),
            "places": .array(finding.places.map(JSONValue.string)),
            "beacons": .array(finding.beacons.map { .string("\($0)") }),
            "message": .string(finding.message),
          ])
        }),
    ])
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
