import ArgumentParser
import Registries
import Reporting

struct RegistryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the beacons of a registry.",
    discussion: """
      EXAMPLES:
        rssi registry list beacons.json
        rssi registry list --registry nodes.csv --json
      """)

  @OptionGroup var named: RegistryFileOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let path = try named.path()
    let document = try RegistryDocument(whole: path)
    // As the format has it, so that what scripts read and what is kept are one thing.
    if reporting.json { return try StandardOutput.write(document.text) }
    try StandardOutput.show(document.table(of: path))
  }
}
