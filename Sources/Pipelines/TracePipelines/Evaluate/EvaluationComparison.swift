public import Evaluation
import Geometry
import Recordings
public import Support
public import TraceStore

/// Compares algorithms on several levels of the same traces, with several calibrations, or both.
///
/// Every combination answers the same questions, so that its errors are compared pair by pair. What
/// it answered is named `kalman @ median`, after the filter, the calibration or both. Trackers hear
/// the raw levels whatever the filter, and stand in the leaderboard once.
///
/// ```swift
/// let comparison = try EvaluationComparison(
///   request, filters: ["none", "median"], by: tool, log: SilentLog())
/// print(try comparison.document().leaderboard.scores.map(\.name))
/// ```
public struct EvaluationComparison {
  /// Evaluations of the same recordings; the name of a single one is empty.
  private var variants: [(name: String, run: EvaluationRun)] = []

  /// - Parameters:
  ///   - request: what all evaluations have in common, and the filter and the calibration where
  ///     none are listed.
  ///   - filters: the filters whose levels are used, `none` for the raw ones, and `all` for these
  ///     and every filter that all inputs have.
  ///   - calibrations: calibration files, or traces that contain one.
  /// - Throws: as `EvaluationRun`, for each of the evaluations.
  public init(
    _ request: EvaluationRequest, filters: [String] = [], calibrations: [String] = [],
    by tool: ToolIdentity, log: any ActivityLog
  ) throws {
    let filters = try Self.named(filters, request)
    let files: [String?] = calibrations.isEmpty ? [request.calibration] : calibrations
    for filter in filters {
      for calibration in files {
        var one = request
        one.filtered = filter
        one.calibration = calibration
        // One instant for raw and for filtered levels: what is there at the end of the window.
        if filters.count > 1, !one.epoch.areStops { one.truthAt = request.truthAt ?? .epoch }
        let parts: [String?] = [
          filters.count > 1 ? filter.map { $0 == "none" ? "raw" : $0 } : nil,
          calibrations.count > 1 ? calibration.map { Self.name(of: $0, calibrations) } : nil,
        ]
        variants.append(
          (
            parts.compactMap(\.self).joined(separator: ", "),
            try EvaluationRun(one, by: tool, log: log)
          ))
      }
    }
  }

  /// The filters to compare, each once; nil = the only one of each input, if any.
  private static func named(
    _ filters: [String], _ request: EvaluationRequest
  ) throws -> [String?] {
    guard !filters.isEmpty else { return [request.filtered] }
    var known: Set<String> = []
    return try filters.flatMap { filter throws -> [String] in
      guard filter == "all" else { return [filter] }
      let names = try request.inputs.map { try TraceReader(path: $0).filterNames() }
      let common = (names.first ?? []).filter { name in names.allSatisfy { $0.contains(name) } }
      return ["none"] + common
    }.filter { known.insert($0).inserted }
  }

  /// A file without its folder and extension, unless two have that name.
  private static func name(of file: String, _ files: [String]) -> String {
    files.count { fileStem($0) == fileStem(file) } > 1 ? file : fileStem(file)
  }

  /// - Throws: `RSSIError` for an earlier evaluation that asked other questions than this one.
  package func require(questionsOf earlier: EarlierEvaluation) throws(RSSIError) {
    for variant in variants { try earlier.requireQuestions(of: variant.run.settings) }
  }

  /// Answers the questions.
  public func part() throws -> EvaluationPart {
    EvaluationPart(variants: try variants.map { try $0.run.variant(named: $0.name) })
  }

  /// Answers and scores all questions.
  ///
  /// - Throws: `RSSIError` where levels or constants do not allow the same questions.
  public func document() throws -> EvaluationDocument { try part().document() }
}
