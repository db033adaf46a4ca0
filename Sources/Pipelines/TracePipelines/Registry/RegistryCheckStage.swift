package import Registries
import Sites

/// A registry to find faults in.
package struct RegistryCheckRequest: Sendable {
  package var input: String
  /// A site file whose rooms should contain the beacons; `nil` for none.
  package var site: String?

  package init(_ input: String, site: String? = nil) { (self.input, self.site) = (input, site) }
}

/// The doubts about a registry.
package struct RegistryCheckResult: Sendable {
  package var path: String
  /// The number of its beacons.
  package var beacons: Int
  package var check: RegistryCheck
}

/// Finds duplicates and impossible values in a registry.
package struct RegistryCheckStage: Stage {
  private let request: RegistryCheckRequest

  package init(_ request: RegistryCheckRequest) { self.request = request }

  /// - Throws: `RSSIError` for a registry or a site that cannot be read.
  package func run(in context: StageContext) throws -> RegistryCheckResult {
    let document = try RegistryDocument(path: request.input)
    let isInRoom = try request.site.map { try Site(path: $0).roomTest(of: $0) }
    return RegistryCheckResult(
      path: request.input, beacons: document.beacons.count,
      check: try RegistryCheck(document, isInRoom: isInRoom))
  }
}
