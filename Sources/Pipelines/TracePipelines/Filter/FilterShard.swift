import Evaluation
package import Support
package import TraceStore

/// The results of a comparison of filters on some of the traces; the parts of all traces merge into
/// the comparison that one process makes.
package struct FilterShard {
  private let part: FileShard<ComparedChains, ComparedFile>

  /// Compares filters on the traces of a share, or on all of the request.
  ///
  /// - Throws: `RSSIError` for a trace that cannot be read.
  package init(
    _ request: FilterComparisonRequest, share: FileShare?, by tool: ToolIdentity,
    log: any ActivityLog
  ) throws {
    var own = request
    own.inputs = try share?.files(of: request.inputs) ?? request.inputs
    let origin = try ShardManifest(files: own.inputs, share: share, of: request.inputs, by: tool)
    part = FileShard(try own.files(log: log), of: origin, settings: request.compared)
  }

  /// - Throws: `RSSIError` for a file that is not a whole part, and for parts of different runs.
  package init(merging paths: [String]) throws {
    part = try FileShard(merging: paths, of: .filter) { part in
      part.pieces.count == part.head.origin.files.count && part.pieces.count < 1 << 20
        && part.head.settings.settling >= 0
        && part.pieces.allSatisfy { $0.isSound(chains: part.head.settings.chains.count) }
    }
  }

  package func write(to path: String) throws -> WrittenShard {
    try part.write(to: path, of: .filter)
  }

  /// Returns the comparison on all traces.
  ///
  /// - Throws: `RSSIError` for traces with truths of different kinds.
  package func comparison(log: any ActivityLog) throws -> ComparedFilters {
    let whole = try ComparedFilters(part.pieces, part.head.settings)
    for note in whole.notes { log.warn(note) }
    return whole
  }
}

extension ComparedFile {
  /// Returns whether the numbers are plausible, so that no sum of them overflows.
  fileprivate func isSound(chains: Int) -> Bool {
    ComparedTrace.Truth(rawValue: truth) != nil && (0..<1 << 40).contains(sightings)
      && sums.count == chains && sums.allSatisfy(\.isSound)
  }
}
