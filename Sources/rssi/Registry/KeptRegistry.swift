import Glibc
import Registries
import Support
import TraceStore

/// The stored registry of the user.
enum KeptRegistry {
  /// The word for no registry at all, as an option and in the environment.
  static let none = "none"

  /// The path: `RSSI_REGISTRY`, or a file in the folder of the user's data; nil for none.
  static var path: String? {
    if let path = variable("RSSI_REGISTRY") { return path == none ? nil : path }
    return userFolder("XDG_DATA_HOME", else: ".local/share").map { "\($0)/rssi/registry.json" }
  }

  /// Returns the path to write: the one that was asked for, or ``path``.
  ///
  /// - Throws: `RSSIError` if there is none.
  static func place(_ output: String?) throws -> String {
    if let output { return output }
    guard let path else {
      throw RSSIError(
        .usage,
        "no folder for the registry (RSSI_REGISTRY, HOME): name a file with -o")
    }
    makeFolders(of: path)
    return path
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the folder of the user that a variable names, or one in the home folder; `nil` without
  /// both. Relative folders are ignored (XDG Base Directory Specification).
  static func userFolder(_ name: String, else folder: String) -> String? {
    if let named = variable(name), named.hasPrefix("/") { return named }
    return variable("HOME").map { "\($0)/\(folder)" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The registry to read: the file that was named, else the kept one.
///
/// - Throws: `RSSIError` if there is none.
func registryToRead(_ file: String?) throws -> String {
  if let file { return file }
  guard let kept = KeptRegistry.path, KeptRegistry.exists(kept) else {
    throw RSSIError(
      .noInput,
      "no registry is kept\(KeptRegistry.path.map { " in \($0)" } ?? ""): name a file, or get one "
        + "with `rssi registry pull` or `rssi registry import`"
    )
  }
  return kept
}
