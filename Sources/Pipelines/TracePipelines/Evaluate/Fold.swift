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
  /// The unit that was left out of the fit, such as the name of a trace; nil if the constants were
  /// given.
  var leftOut: String?
  /// The epochs to answer, by target; targets without any are left out.
  var scored: [TargetEpochs]
  /// The epochs that may be learned from, of the same targets.
  var learned: [TargetEpochs] = []
  var knowledge: SiteKnowledge
  /// The targets without the fold's offsets of channels, by their places in the list of targets;
  /// empty if the fit has none.
  var targets: [Int: AskedTarget] = [:]
  /// Notes for the user about its fit.
  var notes: [String] = []

  /// The constants of this fold, for reports.
  var reportedConstants: [ReportedCalibration] {
    guard let calibration = knowledge.constants?.calibration else { return [] }
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

/// The fits of a cross-validation; each is made once, for all levels that are located with it.
final class CrossValidatedFits {
  private let request: EvaluationRequest
  private let plan: SitePlan
  /// The fit and what it reads; nil in a building whose anchors have no known places.
  private let fitting: (run: FitRun, readings: FitReadings)?
  private let log: any ActivityLog
  private var calibrations: [CrossValidationSplit.LeftOut: Calibration] = [:]

  /// Reads the recordings to fit.
  init(
    _ request: EvaluationRequest, _ plan: SitePlan, hasAnchors: Bool, in context: StageContext
  ) throws {
    self.request = request
    self.plan = plan
    log = context.log
    guard hasAnchors else {
      fitting = nil
      return
    }
    var fit = FitRequest()
    fit.inputs = request.inputs
    fit.by = request.by
    fit.estimator = request.estimator
    fit.channelOffsets = request.channelOffsets
    fit.site = request.site
    let run = try FitRun(fit, in: context, site: plan.site)
    fitting = (run, try run.readings())
  }

  /// Returns the names of all folds, and the folds to answer, each with its own fit.
  func folds(
    of recordings: EvaluatedRecordings
  ) throws -> (names: [String], folds: [Fold]) {
    let targets = recordings.targets
    let splits = try (request.crossValidate ?? .traces).splits(
      of: targets, stations: fitting?.readings.stations ?? [], folds: request.folds)
    let chosen = splits.enumerated().filter { number, split in
      request.share?.has(fold: number, traces: Set(split.scored.map { targets[$0.target].trace }))
        ?? true
    }
    let line = log.progress("eval: fits", total: chosen.count)
    defer { line.finish() }
    var folds: [Fold] = []
    for (number, split) in chosen {
      line.update(folds.count)
      folds.append(try fold(number, split, of: recordings))
    }
    return (splits.map(\.name), folds)
  }

  private func fold(
    _ number: Int, _ split: CrossValidationSplit, of recordings: EvaluatedRecordings
  ) throws -> Fold {
    let calibration = try calibration(without: split)
    let constants = try calibration.map {
      try LinkConstants($0, of: "the fit without \(split.name)")
    }
    let corrected = constants?.channels.map { recordings.removing($0) }
    let learned = split.learned.map {
      SurveyTrack((corrected?.targets ?? recordings.targets)[$0.target], epochs: $0.epochs)
    }
    var fold = Fold(
      number: number, leftOut: split.name, scored: split.scored, learned: split.learned,
      knowledge: SiteKnowledge(
        plan, anchors: recordings.anchors, constants: constants,
        survey: learned + (corrected?.survey ?? recordings.survey)))
    fold.notes = corrected?.notes ?? calibration?.channelRefusals ?? []
    for scored in split.scored { fold.targets[scored.target] = corrected?.targets[scored.target] }
    return fold
  }

  private func calibration(
    without split: CrossValidationSplit
  ) throws(RSSIError) -> Calibration? {
    if let known = calibrations[split.leftOut] { return known }
    guard let fitting else { return nil }
    var kept = fitting.readings
    kept.stations = kept.stations.filter(split.mayFit)
    guard !kept.stations.isEmpty else {
      throw RSSIError(.badInput, "without \(split.name) no reading is left to fit: record more")
    }
    let calibration = fitting.run.calibration(of: kept)
    calibrations[split.leftOut] = calibration
    return calibration
  }
}

extension Calibration {
  /// The reasons for missing offsets of channels that were requested.
  fileprivate var channelRefusals: [String] {
    pooled.diagnostics.filter { $0.code == ChannelOffsetFit.refusal }.map(\.message)
  }
}
