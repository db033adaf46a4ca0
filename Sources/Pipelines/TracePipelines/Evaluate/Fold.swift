import Evaluation
import PathLoss
import Positioning
import Support
import TraceStore

/// Epochs of one of the targets.
struct TargetEpochs: Equatable {
  /// The target's place in the list of targets.
  var target: Int
  var epochs: [Int]
}

/// Questions that are answered with the same knowledge: all of them, or those left out of one fit.
struct Fold {
  /// Its place in the list of all folds.
  var number: Int
  /// What was left out of the fit, such as the name of a trace; nil where the fit came from
  /// elsewhere.
  var leftOut: String?
  /// The epochs to answer, by target; targets without any are left out.
  var scored: [TargetEpochs]
  /// The epochs that the knowledge is from, of the same targets.
  var learned: [TargetEpochs] = []
  var knowledge: SiteKnowledge
  /// The targets to answer about as they were heard without the fold's offsets of channels, by
  /// their places in the list of targets; empty where the fit has none.
  var targets: [Int: AskedTarget] = [:]
  /// What a person should know of its fit.
  var notes: [String] = []

  /// The constants of this fold, for reports.
  var reportedConstants: [ReportedCalibration] {
    let calibration = knowledge.constants.calibration
    var groups = calibration.groups
    if !groups.contains(where: { $0.key == calibration.pooled.key }) {
      groups.append(calibration.pooled)
    }
    return groups.compactMap { group in
      group.constants.map {
        ReportedCalibration(
          group: group.key == "pooled" ? "all links" : group.key, leftOut: leftOut,
          measuredPower: $0.measuredPower, exponent: $0.exponent, sigma: $0.sigma,
          samples: group.samples)
      }
    }
  }
}

extension EvaluationRequest {
  /// The names of all folds of a cross-validation, and those that are to be answered, each with
  /// what is known without what it scores.
  func crossValidatedFolds(
    _ recordings: EvaluatedRecordings, _ plan: SitePlan, in context: StageContext
  ) throws -> (names: [String], folds: [Fold]) {
    let fitting = try FitRun(fitRequest, in: context, site: plan.site)
    let readings = try fitting.readings()
    let targets = recordings.targets
    let splits = try (crossValidate ?? .traces).splits(of: targets, stations: readings.stations)
    let chosen = splits.enumerated().filter { number, split in
      share?.has(fold: number, traces: Set(split.scored.map { targets[$0.target].trace })) ?? true
    }
    let line = context.log.progress("eval: fits", total: chosen.count)
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
