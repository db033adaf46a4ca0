public import Recordings
public import Registries
import Support

/// Tables and lists to make a registry of.
public struct RegistryImportRequest: Sendable {
  /// The paths of the tables and lists.
  public var inputs: [String]
  /// A Boolean value that is true if invalid entries are left out instead of failing.
  public var skipBad = false
  /// The columns of tables, by the names of JSON.
  public var columns = ColumnMap()

  /// Creates a request to import tables and lists.
  public init(_ inputs: [String]) { self.inputs = inputs }
}

/// A registry made of tables and lists.
public struct RegistryImportResult: Sendable {
  /// The registry made of them.
  public var document: RegistryDocument
  /// Invalid entries that were left out.
  public var refused = 0
  /// Entries of beacons of which a later entry is used.
  public var repeated = 0
}

/// Makes one registry of tables and lists; of two entries of one beacon the last one is used.
public struct RegistryImportStage: Stage {
  private let request: RegistryImportRequest

  public init(_ request: RegistryImportRequest) { self.request = request }

  /// Reads the tables and lists into one registry.
  ///
  /// - Throws: `RSSIError` for invalid entries that are not to be skipped, and without a beacon.
  public func perform(in context: StageContext) throws -> RegistryImportResult {
    var entries: [RegisteredBeacon] = []
    var refused = 0
    for file in request.inputs {
      let document = try RegistryDocument(path: file, columns: request.columns)
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
        "\(request.inputs.joined(separator: ", ")): no beacon found, nothing was written")
    }
    let beacons = Registry(entries).beacons
    let repeated = entries.count - beacons.count
    if repeated > 0 {
      context.log.warn("repeated entries: \(repeated); the last entry of a beacon is used")
    }
    return RegistryImportResult(
      document: RegistryDocument(beacons), refused: refused, repeated: repeated)
  }
}
