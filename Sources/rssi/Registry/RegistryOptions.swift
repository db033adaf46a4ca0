import Advertising
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

/// The one beacon, or the beacons of one identifier, that an option means.
///
/// - Throws: a `RSSIError` where a text is neither a beacon nor a name, or where several beacons have
///   the name.
func beaconPattern(
  _ text: String, of option: String, in registry: Registry
) throws -> BeaconPattern {
  let patterns = beaconPatterns(text, in: registry)
  guard let pattern = patterns.first else {
    throw RSSIError(
      .usage,
      "\(option) \(text) is neither a beacon nor a name of the registry: write UUID, UUID:MAJOR, "
        + "UUID:MAJOR:MINOR, an address, or an identity as `rssi export` prints it"
    )
  }
  guard patterns.count == 1 else {
    throw RSSIError(
      .usage,
      "\(option) \(text): \(patterns.count) beacons of the registry have this name: give an "
        + "identity, "
        + listed(patterns.compactMap { $0.identity.map { "\($0)" } }))
  }
  return pattern
}
