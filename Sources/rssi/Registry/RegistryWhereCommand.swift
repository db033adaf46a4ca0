import ArgumentParser
import Support

struct RegistryWhereCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "where", abstract: "Show the path of the stored registry.")

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    guard let path = KeptRegistry.path else {
      throw RSSIError(
        .noInput,
        "there is to be no registry: RSSI_REGISTRY is none, or nobody's home is known")
    }
    let exists = KeptRegistry.exists(path)
    if reporting.json {
      return try StandardOutput.write(
        jsonText(JSONValue.object(["path": .string(path), "exists": .boolean(exists)])))
    }
    try StandardOutput.write(path + "\n")
    if !exists {
      reporting.note("nothing is there yet: `rssi registry pull` or `import` writes it")
    }
  }
}

/// The registry to read: the file that was named, else the kept one.
///
/// - Throws: `RSSIError` where there is none.
func registryToRead(_ file: String?) throws -> String {
  if let file { return file }
  guard let kept = KeptRegistry.path, KeptRegistry.exists(kept) else {
    throw RSSIError(
      .noInput,
      "no registry is kept\(KeptRegistry.path.map { " in \($0)" } ?? ""): name a file, or get one "
        + "with `rssi registry pull` or `import`"
    )
  }
  return kept
}
