import ArgumentParser
import Registries

/// Which registry a stage names beacons by.
struct RegistryOptions: ParsableArguments {
  @Option(help: "A registry of beacons (JSON or CSV): names, places, measured powers, ranges.")
  var registry: String?

  /// - Throws: `Failure` for a file that is no registry.
  func load() throws -> Registry { Registry() }
}
