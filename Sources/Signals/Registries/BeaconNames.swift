public import Sightings
package import Support

/// The display names of beacons: from the registry, else from the trace.
public struct BeaconNames: Sendable {
  /// No names.
  public static let none = BeaconNames(Registry(), [])

  private let registry: Registry
  private var inTrace: [String: String] = [:]
  /// The names that several beacons share.
  private var shared: Set<String> = []

  /// Creates the names from a registry and the beacons of a trace.
  ///
  /// - Parameter beacons: The beacons of a trace, whose own names count if the registry has none.
  public init(_ registry: Registry, _ beacons: [Node] = []) {
    self.registry = registry
    var seen: Set<String> = []
    for name in registry.beacons.compactMap(\.name) where !seen.insert(name).inserted {
      shared.insert(name)
    }
    for beacon in beacons where !beacon.name.isEmpty {
      let name = CleanText(beacon.name).text
      guard !name.isEmpty, name != beacon.id, registry[id: beacon.id]?.name == nil else { continue }
      inTrace[beacon.id] = name
      if !seen.insert(name).inserted { shared.insert(name) }
    }
  }

  /// Returns the name of an identity, or `nil` if it has none.
  public subscript(id: String) -> String? {
    if registry.beacons.isEmpty { return inTrace[id] }
    return registry[id: id]?.name ?? inTrace[id]
  }

  /// Returns `name (id)`, or the identity alone, as printable text for a sentence.
  public func label(_ id: String) -> String { (self[id].map { "\($0) (\(id))" } ?? id).printable }

  /// Returns the name, with the identity if several beacons share it, or the identity alone, as
  /// printable text for a table.
  public func short(_ id: String) -> String {
    guard let name = self[id] else { return id.printable }
    return (shared.contains(name) ? "\(name) (\(id))" : name).printable
  }

  /// Returns a member `name` for JSON, next to the identity, if there is one.
  package func member(_ id: String) -> [String: JSONValue] {
    self[id].map { ["name": .string($0)] } ?? [:]
  }
}
