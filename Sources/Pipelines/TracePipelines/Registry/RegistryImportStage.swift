package import Registries
import Support

/// Tables and lists to make a registry of.
package struct RegistryImportRequest: Sendable {
  package var inputs: [String]
  /// A Boolean value that is true if invalid entries are left out instead of failing.
  package var skipBad = false

  package init(_ inputs: [String]) { self.inputs = inputs }
}

/// A registry made of tables and lists.
package struct RegistryImportResult: Sendable {
  package var document: RegistryDocument
  /// Invalid entries that were left out.
  package var refused = 0
  /// Entries of beacons of which a later entry is used.
  package var repeated = 0
}

/// Makes one registry of tables and lists; of two entries of one beacon the last one is used.
package struct RegistryImportStage: Stage {
  private let request: RegistryImportRequest

  package init(_ request: RegistryImportRequest) { self.request = request }

  /// - Throws: `RSSIError` for invalid entries that are not to be skipped, and without a beacon.
  package func run(in context: StageContext) throws -> RegistryImportResult {
    var entries: [RegisteredBeacon] = []
    var refused = 0
    for file in request.inputs {
      let document = try RegistryDocument(path: file)
      if let refusals = document.refusals {
        guard request.skipBad else {
          throw RSSIError(
            .badInput, "\(file): \(refusals): correct it, or leave such entries out with `skipBad`")
        }
        context.log.warn("\(file): left out \(refusals)")
      }
      if let doubts = document.doubts { context.log.warn("\(file): \(doubts)") }
      if document.cleaned > 0 {
        context.log.warn(
          "\(file): left out characters that steer a terminal; entries: \(document.cleaned)")
      }
      refused += document.refused.count
      entries += document.beacons
    }
    guard !entries.isEmpty else {
      throw RSSIError(
        .badInput,
        "no beacon is in \(request.inputs.joined(separator: ", ")): nothing was written")
    }
    let beacons = Registry(entries).beacons
    let repeated = entries.count - beacons.count
    if repeated > 0 {
      context.log.warn("entries of a beacon that comes again: \(repeated); the last counts")
    }
    return RegistryImportResult(
      document: RegistryDocument(beacons), refused: refused, repeated: repeated)
  }
}
