public import Registries
import Sites

/// A registry to find faults in.
public struct RegistryCheckRequest: Sendable {
  /// The path of the registry.
  public var input: String
  /// A site file whose rooms should contain the beacons; `nil` for none.
  public var site: String?

  /// Creates a request to check a registry, against the rooms of a site if one is given.
  public init(_ input: String, site: String? = nil) { (self.input, self.site) = (input, site) }
}

/// The doubts about a registry.
public struct RegistryCheckResult: Sendable {
  /// The path of the registry.
  public var path: String
  /// The number of its beacons.
  public var beacons: Int
  /// The findings about the registry.
  public var check: RegistryCheck
}

/// Finds duplicates and impossible values in a registry.
public struct RegistryCheckStage: Stage {
  private let request: RegistryCheckRequest

  public init(_ request: RegistryCheckRequest) { self.request = request }

  /// Checks the registry.
  ///
  /// - Throws: `RSSIError` for a registry or a site that cannot be read.
  public func perform(in context: StageContext) throws -> RegistryCheckResult {
    let document = try RegistryDocument(path: request.input)
    let isInRoom = try request.site.map { try Site(path: $0).roomTest(of: $0) }
    return RegistryCheckResult(
      path: request.input, beacons: document.beacons.count,
      check: try RegistryCheck(document, isInRoom: isInRoom))
  }
}
