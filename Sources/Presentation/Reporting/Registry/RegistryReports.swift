import Advertising
package import Registries
package import Support
package import TracePipelines

extension RegistryPullResult {
  /// - Parameter path: the file of the stored registry.
  package func text(at path: String) -> String {
    let (beacons, result) = (update.registry.beacons.count, update.result)
    var text = "\(path.printable): \(counted(beacons, "beacon")), \(result.rawValue)"
    if result == .updated {
      text += ": \(update.added) added, \(update.removed) removed, \(update.changed) changed"
    }
    return text + "\n"
  }

  /// - Parameter path: the file of the stored registry.
  package func json(at path: String) -> JSONValue {
    [
      "path": path, "url": address.shown, "result": update.result.rawValue,
      "beacons": update.registry.beacons.count, "refused": update.refused,
      "added": update.added, "removed": update.removed, "changed": update.changed,
    ]
  }
}

extension RegistryImportResult {
  /// - Parameter path: the file of the registry.
  package func text(at path: String) -> String {
    "\(path.printable): \(counted(document.beacons.count, "beacon"))\n"
  }

  /// - Parameter path: the file of the registry.
  package func json(at path: String) -> JSONValue {
    [
      "path": path, "beacons": document.beacons.count, "refused": refused, "repeated": repeated,
    ]
  }
}

extension RegistryCheckResult {
  package var text: String {
    var text = ""
    for finding in check.findings {
      let padding = finding.severity == .error ? "    " : "  "
      text += finding.severity.rawValue + padding + finding.message.printable + "\n"
    }
    return text + "\(path.printable): \(counted(beacons, "beacon")), "
      + "\(counted(check.count(.error), "error")), "
      + "\(counted(check.count(.warning), "warning"))\n"
  }

  package var json: JSONValue {
    [
      "path": path, "beacons": beacons, "errors": check.count(.error),
      "warnings": check.count(.warning),
      "findings": check.findings.map { finding -> JSONValue in
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
