import Support
package import TraceStore

/// Packs and repairs traces, each in its place unless an output is named.
package struct TraceRewrite: Sendable {
  /// What became of one trace.
  package struct Outcome: Sendable {
    /// The file that holds the trace now.
    package var path: String
    package var sightings: Int
    /// Whether it was written; an intact trace is not repaired.
    package var isWritten: Bool
    package var bytesBefore: UInt64
    package var bytesAfter: UInt64
    /// The columns of a damaged trace that had more or fewer rows than were kept.
    package var losses: [TableLoss]
    /// The sightings that a trace declares whole that a loss of power has torn; nil for another.
    package var committed: Int?
  }

  package enum Purpose: String, Sendable {
    /// Compresses columns and drops the room that growing left.
    case pack
    /// Closes what an interrupted capture left open, and keeps what is left of a damaged trace.
    case repair
  }

  private let purpose: Purpose
  private let output: String?
  private let tool: ToolIdentity

  /// - Parameter output: the file to write, in place of the input itself.
  package init(_ purpose: Purpose, to output: String?, by tool: ToolIdentity) {
    (self.purpose, self.output, self.tool) = (purpose, output, tool)
  }

  /// Rewrites one trace; it replaces the one before when it is whole.
  ///
  /// - Throws: `RSSIError` for a trace that is being written, or that is damaged and not repaired.
  package func callAsFunction(_ path: String) throws -> Outcome {
    let target = output ?? path
    let reader =
      try purpose == .repair
      ? TraceReader.salvaging(path, toRewriteAt: target)
      : TraceReader(path: path, toRewriteAt: target)
    var outcome = Outcome(
      path: target, sightings: reader.count, isWritten: try isNeeded(reader),
      bytesBefore: fileSize(path), bytesAfter: 0, losses: reader.losses,
      committed: reader.declaredOfTorn)
    if outcome.isWritten {
      let step = try tool.provenance(of: purpose.rawValue, inputs: [])
      try pack(reader, to: target, adding: step)
    }
    outcome.bytesAfter = fileSize(target)
    return outcome
  }

  private func isNeeded(_ reader: TraceReader) throws -> Bool {
    guard purpose == .repair else { return true }
    guard !reader.isClean || reader.isMended || !reader.losses.isEmpty || output != nil else {
      return false
    }
    // What is closed as whole has to be: a row about a beacon that was lost ends the repair.
    try reader.forEachBlock([.time, .link]) { _ in }
    return true
  }
}
