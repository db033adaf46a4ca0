import ArgumentParser
import Registries
import Support

/// Which registry a stage names beacons by.
struct RegistryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Registry with the names of beacons: a JSON or CSV file, or none (default: the stored registry).",
      valueName: "file"))
  var registry: String?

  /// The file of the registry that was named, else of the kept one; nil where there is none.
  var path: String? {
    guard registry != KeptRegistry.none else { return nil }
    return registry ?? KeptRegistry.path.flatMap { KeptRegistry.exists($0) ? $0 : nil }
  }

  /// The registry that was named, else the kept one where there is one.
  ///
  /// - Throws: what is wrong with it; a registry that is broken is reported rather than passed over.
  func load() throws -> Registry {
    if let registry {
      return registry == KeptRegistry.none
        ? Registry() : try RegistryDocument(whole: registry).registry
    }
    guard let kept = KeptRegistry.path, KeptRegistry.exists(kept) else { return Registry() }
    do {
      return try RegistryDocument(whole: kept).registry
    } catch {
      guard var failure = RSSIError(error) else { throw error }
      failure.problem += " (the kept registry; --registry none does without)"
      throw failure
    }
  }
}

/// The registry that a command of registries reads: named as its argument, or as in all stages.
struct RegistryFileOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Registry, JSON or CSV (default: the stored registry).", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("The same as the argument.", valueName: "file"))
  var registry: String?

  /// - Throws: `RSSIError` where it is named twice, or where there is none.
  func path() throws -> String {
    guard file == nil || registry == nil else {
      throw RSSIError(.usage, "the registry is named twice: leave --registry out")
    }
    guard registry != KeptRegistry.none else {
      throw RSSIError(.usage, "--registry none: this command reads a registry; name a file")
    }
    return try registryToRead(file ?? registry)
  }
}
