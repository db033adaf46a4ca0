public import Evaluation
import Recordings
import Support
import TraceStore

/// Compares algorithms on several levels of the same traces, with several calibrations, or both.
///
/// Every combination answers the same questions, so that its errors are compared pair by pair. What
/// it answered is named `kalman @ median`, after the filter, the calibration or both. Trackers hear
/// the raw levels whatever the filter, and stand in the leaderboard once.
///
/// ```swift
/// var request = EvaluationRequest()
/// request.inputs = ["walks.h5"]
/// request.calibration = "bench.json"
/// let document = try EvaluationStage(request).run(in: StageContext(tool: tool))
/// print(document.leaderboard.scores.map(\.name))
/// ```
public struct EvaluationStage: Stage {
  private let request: EvaluationRequest

  public init(_ request: EvaluationRequest) { self.request = request }

  public func run(in context: StageContext) throws -> EvaluationDocument {
    try part(in: context).document()
  }

  /// Answers the questions, or those of the request's share.
  ///
  /// - Throws: `RSSIError` also for an earlier evaluation that asked other questions.
  package func part(in context: StageContext) throws -> EvaluationShard {
    let variants = try variants(in: context)
    if let earlier = request.against {
      for variant in variants { try earlier.requireQuestions(of: variant.run.settings) }
    }
    return EvaluationShard(variants: try variants.map { try $0.run.variant(named: $0.name) })
  }

  /// The evaluations to compare; the name of a single one is empty.
  private func variants(in context: StageContext) throws -> [(name: String, run: EvaluationRun)] {
    let filters = try Self.named(request.filters, request)
    let calibrations = request.calibrations
    let files: [String?] = calibrations.isEmpty ? [request.calibration] : calibrations
    var variants: [(name: String, run: EvaluationRun)] = []
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
          (parts.compactMap(\.self).joined(separator: ", "), try EvaluationRun(one, in: context)))
      }
    }
    return variants
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
}
