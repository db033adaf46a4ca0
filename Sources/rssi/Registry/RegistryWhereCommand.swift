import ArgumentParser
import Support

struct RegistryWhereCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "where", abstract: "Show the path of the stored registry.",
    discussion: """
      EXAMPLES:
        rssi registry where
        rssi registry where --json
      """)

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard let path = KeptRegistry.path else {
      throw RSSIError(
        .noInput,
        "no registry is configured: RSSI_REGISTRY is \"none\", or HOME is not set")
    }
    let exists = KeptRegistry.exists(path)
    if reporting.json {
      return try StandardOutput.write(
        jsonText(.object(["path": .string(path), "exists": .boolean(exists)])))
    }
    try StandardOutput.write(path + "\n")
    if !exists {
      reporting.note(
        "nothing is there yet: `rssi registry pull` or `rssi registry import` writes it")
    }
  }
}
