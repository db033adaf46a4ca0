public import Evaluation
import Geometry
public import Inputs
import Recordings
public import Support
import TraceStore

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

  /// Answers and scores all questions.
  ///
  /// - Throws: `RSSIError` where levels or constants do not allow the same questions.
  public func document() throws -> EvaluationDocument {
    guard variants.count > 1 else { return try variants[0].run.document() }
    var traces: [EvaluatedTrace] = []
    var answers: [AlgorithmAnswers] = []
    for (name, run) in variants {
      let questions = try run.questions()
      traces = try traces.isEmpty ? questions.traces : shared(traces, questions.traces, name)
      for var answer in run.answers(to: questions) {
        let isRepeated = answers.contains { other in
          other.name.hasPrefix(answer.name + " @ ") && other.outcomes == answer.outcomes
        }
        answer.name += " @ " + name
        if !isRepeated { answers.append(answer) }
      }
    }
    var document = try variants[0].run.document(traces, answers)
    for (_, run) in variants.dropFirst() { try document.add(run) }
    return document
  }

  /// The questions of two evaluations; the bound of one stays where both have the same.
  private func shared(
    _ traces: [EvaluatedTrace], _ others: [EvaluatedTrace], _ name: String
  ) throws(RSSIError) -> [EvaluatedTrace] {
    func places(_ traces: [EvaluatedTrace]) -> [[[Double]]] {
      traces.map { trace in
        trace.questions.map { [Double($0.instant), $0.truth.x, $0.truth.y] }
      }
    }
    guard traces.map(\.name) == others.map(\.name), places(traces) == places(others) else {
      throw RSSIError(
        .badInput, "\(variants[0].name) and \(name) are asked for positions at other instants",
        advice: "evaluate them one after the other")
    }
    return zip(traces, others).map { trace, other in
      var trace = trace
      for index in trace.questions.indices
      where trace.questions[index].bound != other.questions[index].bound {
        trace.questions[index].bound = nil
      }
      return trace
    }
  }
}

extension EvaluationDocument {
  /// Adds what another evaluation of the same questions was made with.
  fileprivate mutating func add(_ other: EvaluationRun) throws {
    notes += other.notes.filter { !notes.contains($0) }
    calibration += other.reportedConstants.filter { !calibration.contains($0) }
    if !settings.levels.split(separator: ", ").contains(Substring(other.settings.levels)) {
      settings.levels += ", " + other.settings.levels
    }
    if other.settings.separation == .inSample { settings.separation = .inSample }
    settings.sharedShare = settings.sharedShare.flatMap { own in
      other.settings.sharedShare.map { max(own, $0) }
    }
    provenance.inputs += try other.provenance.inputs.filter { !provenance.inputs.contains($0) }
  }
}
