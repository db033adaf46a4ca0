import ArgumentParser
import Evaluation
import Geometry
import Inputs
import PathLoss
import Positioning
import Recordings
import Reporting
import Sightings
import Support
import TracePipelines
import TraceStore

/// Has every question of an evaluation answered, and scores the answers.
struct EvaluationRun {
  private let inputs: [String]
  private let calibration: String?
  private let validation: ValidationOptions
  private let asking: AskingOptions
  private let algorithms: ChosenAlgorithms
  private let reporting: ReportingOptions
  private let site: EvalSite?
  private let recordings: EvaluatedRecordings
  private let folds: [Fold]
  private let isInSample: Bool

  private var reading: TargetReading { recordings.reading }

  init(
    inputs: [String], calibration: String?, validation: ValidationOptions, asking: AskingOptions,
    algorithms: ChosenAlgorithms, reporting: ReportingOptions
  ) throws {
    self.inputs = inputs
    self.calibration = calibration
    self.validation = validation
    self.asking = asking
    self.algorithms = algorithms
    self.reporting = reporting
    // What is quick to refuse comes before the recordings are read.
    let constants = try calibration.map {
      try LinkConstants(try Calibration(path: $0), of: $0, group: validation.group)
    }
    site = try asking.site.map { try EvalSite(path: $0) }
    recordings = try EvaluatedRecordings(
      inputs: inputs, asking: asking, site: site, surveys: validation.survey,
      maySurveyBeScored: validation.inSample, log: reporting.log)
    try site?.requireMetres(
      asking.site ?? "",
      anchors: recordings.reading.beacons.nodes + recordings.reading.receivers.nodes,
      bounds: asking.bounds?.bounds)
    guard let calibration, let constants else {
      folds = try Self.crossValidated(inputs, recordings, validation, asking, reporting)
      isInSample = false
      return
    }
    let fitted = recordings.targets(fittedBy: constants.calibration)
    if let first = fitted.first, !validation.inSample {
      throw RSSIError(
        .badInput,
        "\(calibration) was fitted on the trace \(first.trace) of \(inputs[first.file]), which is "
          + "scored here: give a calibration of other recordings, --cross-validate traces, or "
          + "--in-sample to score it all the same"
      )
    }
    isInSample = recordings.surveyIsScored || !fitted.isEmpty
    folds = [
      Fold(
        leftOut: nil,
        epochs: recordings.targets.enumerated().map { ($0, Array($1.epochs.indices)) },
        constants: constants, survey: recordings.survey)
    ]
  }

  private static func crossValidated(
    _ inputs: [String], _ recordings: EvaluatedRecordings, _ validation: ValidationOptions,
    _ asking: AskingOptions, _ reporting: ReportingOptions
  ) throws -> [Fold] {
    var request = FitRequest()
    request.inputs = inputs
    request.estimator = validation.estimator
    request.by = validation.by
    request.site = asking.site
    let fitting = try PathLossFitting(request, by: .program, log: reporting.log)
    return try CrossValidatedFolds(
      kind: validation.crossValidate ?? .traces, fitting: fitting,
      readings: try fitting.readings(), targets: recordings.targets
    ).folds().map { fold in
      var fold = fold
      fold.survey += recordings.survey
      return fold
    }
  }

  /// Answers and scores all questions.
  func document() throws -> EvaluationDocument {
    let knowledge = FoldSurroundings(
      dimensions: asking.dimensions == 3 ? .space : .plane, bounds: asking.bounds?.bounds,
      site: site, reading: reading)
    let asked = try QuestionedTargets(recordings.targets, folds, knowledge, areStops: areStops)
    let answers = asked.answers(
      of: algorithms, anchors: { reading.anchors(for: $0).map(\.id) }, log: reporting.log)
    var settings = LeaderboardSettings()
    settings.zones = site?.rooms ?? []
    settings.measuresLag = asking.clockOffset == "estimate"
    let board = Leaderboard(traces: asked.traces, answers: answers, settings: settings)
    var notes = recordings.notes + Set(folds.flatMap(\.constants.notes)).sorted()
    if isInSample {
      notes.append(
        "in sample: recordings are scored here that were fitted or learned from; the errors flatter"
      )
    }
    if let bounds = knowledge.bounds ?? site?.bounds, !asked.traces.isEmpty,
      !recordings.targets.contains(where: {
        reading.anchors(for: $0.role).contains { bounds.contains($0) }
      })
    {
      notes.append("no anchor is inside the bounds: check the site's rooms and walls, or --bounds")
    }
    if let note = knowledge.coarseness { notes.append(note) }
    var files = inputs + validation.survey
    if let calibration { files.append(calibration) }
    if let site = asking.site { files.append(site) }
    return EvaluationDocument(
      title: "Positioning algorithms on " + inputs.map(fileStem).joined(separator: ", "),
      traces: asked.traces, answers: answers, leaderboard: board,
      site: knowledge.reported(recordings.targets),
      calibration: folds.flatMap(\.reported), settings: reportedSettings,
      provenance: EvaluationProvenance(
        version: ToolIdentity.program.version,
        commandLine: ToolIdentity.program.commandLine,
        inputs: try ToolIdentity.program.provenance(of: "eval", inputs: files).inputs.map {
          .init(name: $0.name, sha256: $0.sha256, bytes: $0.bytes)
        }), notes: notes)
  }

  /// Whether each epoch is a stop, or all visits of a place.
  private var areStops: Bool { reading.plan == .stays || reading.plan == .places }

  private var reportedSettings: EvaluationSettings {
    var others: [EvaluationSettings.Other] = []
    if let kind = validation.crossValidate {
      others.append(.init(name: "cross-validation", value: "leave out \(kind.rawValue)"))
      others.append(
        .init(name: "fits by", value: (validation.by ?? Grouping()).description))
    }
    if asking.clockOffset != "0s" {
      others.append(.init(name: "clock offset of the truth", value: asking.clockOffset))
    }
    return EvaluationSettings(
      epoch: asking.epoch, window: asking.window,
      truthAt: areStops ? "stop" : recordings.truthAt.sorted().joined(separator: ", "),
      levels: recordings.levels.sorted().joined(separator: ", "),
      dimensions: asking.dimensions == 3 ? "space" : "plane",
      separation: validation.crossValidate != nil
        ? .crossValidated : isInSample ? .inSample : .otherRecordings,
      others: others)
  }
}

extension Bounds {
  fileprivate func contains(_ node: Node) -> Bool {
    (minimum.x...maximum.x).contains(node.x) && (minimum.y...maximum.y).contains(node.y)
  }
}
