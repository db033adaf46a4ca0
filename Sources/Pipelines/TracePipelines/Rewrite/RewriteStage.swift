import Support
package import TraceStore

/// A trace to pack or to repair, in its place unless an output is named.
public struct RewriteRequest: Sendable {
  /// The purpose of rewriting a trace.
  public enum Purpose: String, Sendable {
    /// Compresses columns and drops the room that growing left.
    case pack
    /// Closes the tables that an interrupted capture left open, and keeps the intact part of a
    /// damaged trace.
    case repair
  }

  /// The purpose of rewriting.
  public var purpose: Purpose
  /// The path of the trace.
  public var input: String
  /// The file to write; `nil` for the input itself.
  public var output: String?

  /// Creates a request; a nil output replaces the input.
  public init(_ purpose: Purpose, _ input: String, to output: String? = nil) {
    (self.purpose, self.input, self.output) = (purpose, input, output)
  }
}

/// The trace that packing or repairing left.
public struct RewriteResult: Sendable {
  /// The file that holds the trace now.
  public var path: String
  /// The number of sightings in the trace.
  public var sightings: Int
  /// A Boolean value that is true if it was written; an intact trace is not repaired.
  public var isWritten: Bool
  /// The size of the file before, in bytes.
  public var bytesBefore: UInt64
  /// The size of the file afterwards, in bytes.
  public var bytesAfter: UInt64
  /// The columns of a damaged trace with more or fewer rows than were kept.
  package var losses: [TableLoss]
  /// The number of sightings that a trace torn by a loss of power declares complete; `nil` for any
  /// other.
  public var committed: Int?
}

/// Packs or repairs a trace, which is replaced when the new one is complete.
public struct RewriteStage: Stage {
  private let request: RewriteRequest

  public init(_ request: RewriteRequest) { self.request = request }

  /// Packs or repairs the trace.
  ///
  /// - Throws: `RSSIError` for a trace that is being written, or that is damaged and not repaired.
  public func perform(in context: StageContext) throws -> RewriteResult {
    let (purpose, path) = (request.purpose, request.input)
    let target = request.output ?? path
    let reader =
      try purpose == .repair
      ? TraceReader.salvaging(path, toRewriteAt: target)
      : TraceReader(path: path, toRewriteAt: target)
    var result = RewriteResult(
      path: target, sightings: reader.count, isWritten: try isNeeded(reader),
      bytesBefore: fileSize(path), bytesAfter: 0, losses: reader.losses,
      committed: reader.declaredOfTorn)
    if result.isWritten {
      let step = try context.tool.provenance(of: purpose.rawValue, inputs: [])
      try pack(reader, to: target, adding: step)
    }
    result.bytesAfter = fileSize(target)
    return result
  }

  private func isNeeded(_ reader: TraceReader) throws -> Bool {
    guard request.purpose == .repair else { return true }
    guard !reader.isClean || reader.isMended || !reader.losses.isEmpty || request.output != nil
    else {
      return false
    }
    // A repaired trace must be consistent: a row about a lost beacon ends the repair.
    try reader.forEachBlock([.time, .link]) { _ in }
    return true
  }
}
