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
  /// - Throws: what is wrong with it; a registry that is broken is told rather than passed over.
  func load() throws -> Registry {
    if let registry {
      return registry == KeptRegistry.none ? Registry() : try wholeRegistry(registry).registry
    }
    guard let kept = KeptRegistry.path, KeptRegistry.exists(kept) else { return Registry() }
    do {
      return try wholeRegistry(kept).registry
    } catch {
      guard var failure = RSSIError(error) else { throw error }
      failure.problem += " (the kept registry; --registry none does without)"
      throw failure
    }
  }
}

/// A registry file of which each entry is right.
func wholeRegistry(_ path: String) throws -> RegistryDocument {
  let document = try RegistryDocument(path: path)
  if let refusals = document.refusals {
    throw RSSIError(
      .badInput, "\(path): \(refusals): correct it; `rssi registry check` tells all")
  }
  return document
}
