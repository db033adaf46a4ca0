import Evaluation
import PathLoss
import Positioning
import Support
import TraceStore

extension EvaluationRequest {
  /// The names of all folds of a cross-validation, and those that are to be answered, each with
  /// what is known without what it scores.
  func crossValidatedFolds(
    _ recordings: EvaluatedRecordings, _ plan: SitePlan, by tool: ToolIdentity,
    log: any ActivityLog
  ) throws -> (names: [String], folds: [Fold]) {
    let fitting = try PathLossFitting(fitRequest, by: tool, log: log, site: plan.site)
    let readings = try fitting.readings()
    let targets = recordings.targets
    let splits = try (crossValidate ?? .traces).splits(of: targets, stations: readings.stations)
    let chosen = splits.enumerated().filter { number, split in
      share?.has(fold: number, traces: Set(split.scored.map { targets[$0.target].trace })) ?? true
    }
    let line = log.progress("eval: fits", total: chosen.count)
    defer { line.finish() }
    let folds = try chosen.enumerated().map { done, fold in
      line.update(done)
      let (number, split) = fold
      var kept = readings
      kept.stations = readings.stations.filter(split.mayFit)
      guard !kept.stations.isEmpty else {
        throw RSSIError(.badInput, "without \(split.name) no reading is left to fit: record more")
      }
      let calibration = fitting.calibration(of: kept)
      let constants = try LinkConstants(calibration, of: "the fit without \(split.name)")
      let heard = try constants.channels.map { try recordings.removing($0) }
      let learned = split.learned.map {
        SurveyTrack((heard?.targets ?? targets)[$0.target], epochs: $0.epochs)
      }
      var result = Fold(
        number: number, leftOut: split.name, scored: split.scored, learned: split.learned,
        knowledge: SiteKnowledge(
          plan, anchors: recordings.anchors, constants: constants,
          survey: learned + (heard?.survey ?? recordings.survey)))
      result.notes = heard?.notes ?? calibration.channelRefusals
      for scored in split.scored { result.targets[scored.target] = heard?.targets[scored.target] }
      return result
    }
    return (splits.map(\.name), folds)
  }

  private var fitRequest: FitRequest {
    var fit = FitRequest()
    fit.inputs = inputs
    fit.by = by
    fit.estimator = estimator
    fit.channelOffsets = channelOffsets
    fit.site = site
    return fit
  }
}

extension Calibration {
  /// Why it has no offsets of channels, where they were asked for.
  fileprivate var channelRefusals: [String] {
    pooled.diagnostics.filter { $0.code == ChannelOffsetFit.refusal }.map(\.message)
  }
}
