import ArgumentParser
import Registries
import Support
import TracePipelines

/// The registry that names beacons.
struct RegistryOptions: ParsableArguments, FileDeclaring {
  @Option(
    help: ArgumentHelp(
      "Registry with the names of beacons: a JSON or CSV file, or none (default: the stored registry).",
      valueName: "file"))
  var registry: String?

  /// The file of the named registry, or of the stored one; nil for none.
  var path: String? {
    guard registry != KeptRegistry.none else { return nil }
    return registry ?? KeptRegistry.path.flatMap { KeptRegistry.exists($0) ? $0 : nil }
  }

  func declareFiles(in files: inout CommandFiles) {
    if let path { files.read([path], as: "--registry") }
  }

  /// Returns the named registry, or the stored one.
  ///
  /// - Parameters:
  ///   - log: receives warnings about a named registry.
  ///   - inputs: the traces and recordings whose beacons it names; their senders are learned.
  /// - Throws: what is wrong with it; a registry that is broken is reported rather than passed
  ///   over.
  func load(_ log: ConsoleLog, for inputs: [String] = []) throws -> Registry {
    let registry = try read(log)
    if let doubt = try registry.learn(from: inputs) { log.warn(doubt) }
    return registry
  }

  private func read(_ log: ConsoleLog) throws -> Registry {
    if let registry {
      return registry == KeptRegistry.none ? Registry() : try namedRegistry(registry, log)
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

/// A registry that a user names for a run.
///
/// - Throws: `RSSIError` for one with an entry that cannot be read.
func namedRegistry(_ path: String, _ log: ConsoleLog) throws -> Registry {
  let document = try RegistryDocument(whole: path)
  if let doubts = document.doubts { log.warn("\(path): \(doubts)") }
  var registry = document.registry
  registry.origin = path
  return registry
}

/// The registry that a command of registries reads: named as its argument, or as in all stages.
struct RegistryFileOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Registry, JSON or CSV (default: the stored registry).", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("The same as the argument.", valueName: "file"))
  var registry: String?

  /// - Throws: `RSSIError` if it is named twice, or if there is none.
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
