import ArgumentParser
import Registries
import Reporting

struct RegistryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the beacons of a registry.")

  @Argument(help: "Registry, JSON or CSV (default: the stored registry).")
  var file: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let path = try registryToRead(file)
    let document = try RegistryDocument(whole: path)
    // As the format has it, so that what scripts read and what is kept are one thing.
    if reporting.json { return try StandardOutput.write(document.text) }
    try StandardOutput.show(document.table(of: path))
  }
}
