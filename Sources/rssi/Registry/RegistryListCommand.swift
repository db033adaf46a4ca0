import Advertising
import ArgumentParser
import Registries
import Reporting
import Screens
import Support

struct RegistryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the beacons of a registry.")

  @Argument(help: "Registry, JSON or CSV (default: the stored registry).")
  var file: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let path = try registryToRead(file)
    let document = try wholeRegistry(path)
    // As the format has it, so that what scripts read and what is kept are one thing.
    if reporting.json { return try StandardOutput.write(document.text) }
    let beacons = document.registry.beacons
    var rows = [["name", "beacon", "x m", "y m", "z m", "P(1 m) dBm", "range m"]]
    for beacon in beacons {
      func figure(_ value: Double?) -> String { value.map(plain) ?? "–" }
      rows.append([
        beacon.name ?? "–", "\(beacon.identity)", figure(beacon.x), figure(beacon.y),
        figure(beacon.z), figure(beacon.measuredPower), figure(beacon.range),
      ])
    }
    try StandardOutput.show(
      "\(path.printable): \(counted(beacons.count, "beacon"))\n"
        + (beacons.isEmpty ? "" : aligned(rows)))
    if let source = document.source {
      try StandardOutput.show("fetched from \(source.url.printable) at \(source.fetched)\n")
    }
  }
}
