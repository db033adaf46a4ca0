import ArgumentParser
import Registries
import Reporting
import Sites
import Support

struct RegistryCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find duplicates and impossible values in a registry.",
    discussion: """
      Errors exit with code 65: unreadable entries, two entries with one identity, implausible \
      powers. Warnings do not: two entries with one name or position, implausible ranges, positions \
      outside every room of --site.

      EXAMPLES:
        rssi registry check beacons.json
        rssi registry check nodes.csv --json
      """)

  @OptionGroup var named: RegistryFileOptions

  @Option(
    help: ArgumentHelp(
      "Site file (TOML) whose rooms should contain the beacons.", valueName: "file"),
    completion: .file())
  var site: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let path = try named.path()
    let document = try RegistryDocument(path: path)
    let check = try RegistryCheck(
      document, isInRoom: try site.map { try Site(path: $0).roomTest(of: $0) })
    let beacons = document.beacons.count
    try reporting.report(
      check.json(of: path, beacons: beacons), text: check.text(of: path, beacons: beacons))
    let errors = check.count(.error)
    guard errors == 0 else {
      throw RSSIError(
        .badInput, "\(path) has \(counted(errors, "error")): correct what is listed")
    }
  }
}
