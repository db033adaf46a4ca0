import PathLoss
import Support
import TraceStore

/// The readings of some of the files of a fit; the parts of all files are fitted as one process
/// fits them.
package struct FitShard {
  /// The readings to fit, and the fit.
  struct Settings: Codable, Equatable {
    var model: String
    var estimator: String
    var by: String
    var settings: FitConfiguration
    var bootstrap: Int
    var seed: UInt64
    var distanceAt: [Double]
  }

  private let part: FileShard<Settings, FitReadings>

  init(_ files: [FitReadings], of origin: ShardManifest, _ request: FitRequest, _ plan: FitPlan) {
    part = FileShard(
      files, of: origin,
      settings: Settings(
        model: plan.model.kind.rawValue, estimator: plan.estimator.rawValue,
        by: plan.grouping.description, settings: plan.configuration, bootstrap: request.bootstrap,
        seed: request.seed, distanceAt: request.distanceAt))
  }

  /// - Throws: `RSSIError` for a file that is not a whole part, and for parts of different runs.
  init(merging paths: [String]) throws {
    part = try FileShard(merging: paths, of: .fit, isSound: \.isSound)
  }

  package func write(to path: String) throws -> WrittenShard { try part.write(to: path, of: .fit) }

  /// The identity of the equivalent single process.
  var tool: ToolIdentity {
    ToolIdentity(version: part.head.origin.version, commandLine: part.head.origin.commandLine)
  }

  /// Returns the readings of all files.
  func merged() -> FitReadings {
    part.pieces.sorted(by: FitReadings.precedes).reduce(into: FitReadings()) { $0.merge($1) }
  }

  /// The requested series.
  var series: [String] { part.head.settings.settings.series }

  /// Returns the request that made the parts.
  ///
  /// - Parameter merge: the request to merge them, without further settings.
  func request(_ merge: FitRequest) throws(RSSIError) -> FitRequest {
    if let name = merge.fitted.first(where: \.isGiven)?.name {
      throw RSSIError(
        .usage, "`\(name)` does not go with `merge` of parts: give it to the runs that make them")
    }
    return part.head.settings.request(merge)
  }

}

extension FitShard.Settings {
  /// - Parameter merge: the settings that do not depend on parts.
  fileprivate func request(_ merge: FitRequest) -> FitRequest {
    var request = merge
    request.model = ModelName(rawValue: model)
    request.estimator = PathLossEstimator(rawValue: estimator)
    request.by = Grouping(by)
    request.configuration = settings
    (request.bootstrap, request.seed, request.distanceAt) = (bootstrap, seed, distanceAt)
    return request
  }

  /// A Boolean value that is true if a stage may have written them.
  fileprivate var isSound: Bool {
    let request = request(FitRequest())
    return request.model != nil && request.estimator != nil && request.by != nil
      && distanceAt.count <= 1000 && (try? request.check()) != nil
      && (try? FitPlan(ofParts: request)) != nil
  }
}

extension FileShard<FitShard.Settings, FitReadings> {
  /// A Boolean value that is true if the numbers are plausible, so that no sum of them overflows.
  fileprivate var isSound: Bool {
    var readings = 0
    for file in pieces {
      guard !file.inputs.isEmpty,
        file.excluded.values.allSatisfy({ (0..<1 << 40).contains($0) })
      else { return false }
      for count in file.stations.lazy.flatMap(\.levels).map(\.count) {
        readings += count
        guard readings < 1 << 50 else { return false }
      }
    }
    return pieces.count == head.origin.files.count && pieces.count < 1 << 20
      && head.settings.isSound
  }
}
