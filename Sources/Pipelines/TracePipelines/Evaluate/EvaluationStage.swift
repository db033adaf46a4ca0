public import Evaluation
import PathLoss
import Recordings
import Sightings
import Support
import TraceStore

/// Compares algorithms on several levels of the same traces, with several calibrations, or both.
///
/// Every combination answers the same questions, so that errors are compared pair by pair. An
/// answer is named `kalman @ median`, after the filter, the calibration or both. Trackers always
/// use the raw levels, and are in the leaderboard once.
///
/// ```swift
/// var request = EvaluationRequest()
/// request.inputs = ["walks.h5"]
/// request.calibrations = ["bench.json"]
/// let document = try EvaluationStage(request).run()
/// print(document.leaderboard.scores.map(\.name))
/// ```
public struct EvaluationStage: Stage {
  private let request: EvaluationRequest

  public init(_ request: EvaluationRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> EvaluationDocument {
    try part(in: context).document()
  }

  /// Answers the questions, or those of the request's share.
  ///
  /// - Throws: `RSSIError` for a request that cannot be met, inputs that cannot be scored, or an
  ///   earlier evaluation that asked other questions.
  package func part(in context: StageContext) throws -> EvaluationShard {
    let runs = try runs(in: context)
    if let earlier = request.against {
      for run in runs { try earlier.requireQuestions(of: run.evaluation.settings) }
    }
    return EvaluationShard(variants: try runs.map { try $0.evaluation.variant(named: $0.name) })
  }

  /// The evaluations to compare; the name of a single one is empty.
  private func runs(in context: StageContext) throws -> [(name: String, evaluation: EvaluationRun)]
  {
    try request.check()
    guard !request.inputs.isEmpty else {
      throw RSSIError(.usage, "there is nothing to evaluate: name a trace in `inputs`")
    }
    // Quick refusals come before the recordings are read.
    let map = try request.radioMap.map { try RadioMapFile(path: $0) }
    let group = request.group ?? (request.calibrations.isEmpty ? map?.stored.group : nil)
    let files =
      request.calibrations.isEmpty
      ? [map?.constantsFile].compactMap(\.self) : request.calibrations
    let given = try files.map { file in
      (file: file, constants: try LinkConstants(Calibration(path: file), of: file, group: group))
    }
    var plan = try SitePlan(
      path: request.site, bounds: request.bounds, dimensions: request.dimensions)
    let filters = try filters
    var asked = request
    // One instant for raw and for filtered levels: the end of the window.
    if filters.count > 1, !asked.epoch.areStops { asked.truthAt = request.truthAt ?? .epoch }
    let all = try EvaluatedRecordings.read(
      asked, map, plan: &plan, filters: filters,
      keepsChannels: request.fitsChannelOffsets
        || given.contains { $0.constants.channels != nil },
      log: context.log)
    let anchors = all[0].anchors.all.filter(\.isAnchor)
    try plan.requireMetres(anchors: anchors)
    var fits: CrossValidatedFits?
    if request.crossValidate != nil {
      fits = try CrossValidatedFits(asked, plan, hasAnchors: !anchors.isEmpty, in: context)
    }
    var runs: [(name: String, evaluation: EvaluationRun)] = []
    for (filter, recordings) in zip(filters, all) {
      let level = filters.count > 1 ? filter.map { $0 == "none" ? "raw" : $0 } : nil
      if let (names, folds) = try fits?.folds(of: recordings) {
        let run = try EvaluationRun(
          asked, recordings, .fitted(names: names, folds), plan: plan, in: context)
        runs.append((level ?? "", run))
      }
      if fits == nil, given.isEmpty {
        guard plan.building != nil else {
          throw RSSIError(.usage, EvaluationRequest.missingConstants)
        }
        let run = try EvaluationRun(
          asked, recordings, .given(nil, file: nil), plan: plan, in: context)
        runs.append((level ?? "", run))
      }
      for (file, constants) in given {
        let name = given.count > 1 ? Self.name(of: file, request.calibrations) : nil
        let run = try EvaluationRun(
          asked, recordings, .given(constants, file: file), plan: plan, in: context)
        runs.append(([level, name].compactMap(\.self).joined(separator: ", "), run))
      }
    }
    return runs
  }

  /// The filters to compare, each once; nil = the only one of each input, if any.
  private var filters: [String?] {
    get throws {
      guard !request.filters.isEmpty else { return [nil] }
      var known: Set<String> = []
      return try request.filters.flatMap { filter throws -> [String] in
        guard filter == "all" else { return [filter] }
        let names = try request.inputs.map { try TraceReader(path: $0).filterNames() }
        let common = (names.first ?? []).filter { name in names.allSatisfy { $0.contains(name) } }
        return ["none"] + common
      }.filter { known.insert($0).inserted }
    }
  }

  /// Returns a file's name without folder and extension, unless two files have that name.
  private static func name(of file: String, _ files: [String]) -> String {
    files.count { fileStem($0) == fileStem(file) } > 1 ? file : fileStem(file)
  }
}
