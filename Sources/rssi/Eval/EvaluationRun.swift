import ArgumentParser
import Evaluation
import Filtering
import PathLoss
import Positioning
import Recordings
import Reporting
import Sightings
import TraceStore

/// Reads what an evaluation needs, has every question answered and scores the answers.
struct EvaluationRun {
  private let algorithms: ChosenAlgorithms
  private let validation: ValidationOptions
  private let asking: AskingOptions
  private let reporting: ReportingOptions
  private let calibration: String?
  private let inputs: [String]
  private let site: EvalSite?
  private let targets: [AskedTarget]
  private let folds: [Fold]
  private let reading: TargetReading
  private let levels: Set<String>
  private let truthAt: Set<String>
  private var notes: [String] = []
  private var isInSample = false

  init(
    inputs: [String], calibration: String?, validation: ValidationOptions, asking: AskingOptions,
    algorithms: ChosenAlgorithms, reporting: ReportingOptions
  ) throws {
    guard (calibration == nil) != (validation.crossValidate == nil) else {
      throw Failure(
        Failure.usage,
        calibration == nil
          ? "give the path-loss constants with --calibration, or have them fitted with --cross-validate traces"
          : "--calibration and --cross-validate do not go together: one brings constants, the other fits them")
    }
    if validation.crossValidate == .places, asking.epoch != "stay", asking.epoch != "place" {
      throw Failure(
        Failure.usage,
        "--cross-validate places goes with --epoch stay or --epoch place: on a walk every epoch is a place of its own, and its neighbours would be learned from")
    }
    self.inputs = inputs
    self.calibration = calibration
    let given = try calibration.map {
      try LinkConstants(try Calibration(path: $0), of: $0, group: validation.group)
    }
    self.validation = validation
    self.asking = asking
    self.algorithms = algorithms
    self.reporting = reporting
    site = try asking.site.map { try EvalSite(path: $0) }
    let readers = try inputs.map { try TraceReader(path: $0) }
    let known = Set(readers.flatMap(\.catalogue.traces))
    if let unknown = asking.trace.first(where: { !known.contains($0) }) {
      throw Failure(
        Failure.badInput, "there is no trace \"\(unknown)\"; there are "
          + known.sorted().prefix(20).joined(separator: ", "))
    }
    var reading = TargetReading(
      plan: try EpochPlan(epoch: asking.epoch, window: asking.window), site: site)
    reading.traces = Set(asking.trace)
    reading.truthAt = asking.truthAt.map { $0 == .middle ? .windowMiddle : .epoch }
    reading.clockOffset = -(signedDuration(asking.clockOffset) ?? 0)
    var targets: [AskedTarget] = []
    var levels: Set<String> = []
    var truthAt: Set<String> = []
    for (file, reader) in readers.enumerated() {
      guard asking.trace.isEmpty || reader.catalogue.traces.contains(where: asking.trace.contains)
      else { continue }
      let filter = try asking.filter(of: reader)
      levels.insert(filter ?? "raw")
      truthAt.insert(
        (asking.truthAt ?? (filter == nil ? .middle : .end)).rawValue)
      if let filter, reader.filterChain(filter).contains(where: needsLaterSightings) {
        notes.append("the levels of \(filter) know later sightings: no live system reaches these errors")
      }
      targets += try reading.read(reader, file: file, filter: filter) {
        Progress("eval \(reader.path)", total: $0, quiet: reporting.quiet)
      }
    }
    // A table of truth often tells of more recordings than were imported.
    let silent = targets.filter { target in target.epochs.allSatisfy { $0.levels.isEmpty } }
    targets.removeAll { target in target.epochs.allSatisfy { $0.levels.isEmpty } }
    let unheard = silent.filter { !$0.epochs.isEmpty }.map(\.name)
    if !unheard.isEmpty {
      notes.append("left out, because there is truth but nothing was heard: \(unheard.joined(separator: ", "))")
    }
    guard !targets.isEmpty else {
      throw Failure(
        Failure.badInput,
        "there is no epoch to score: the traces need truth positions (import --truth) that last longer than one epoch")
    }
    try Self.requireDifferent(targets, inputs)
    self.targets = targets
    self.levels = levels
    self.truthAt = truthAt
    var survey: [(target: AskedTarget, epochs: [Int])] = []
    for path in validation.survey {
      let reader = try TraceReader(path: path)
      var all = reading
      all.traces = []
      let learned = try all.read(reader, file: -1, filter: try asking.filter(of: reader)) {
        Progress("eval \(path)", total: $0, quiet: reporting.quiet)
      }
      if let shared = targets.first(where: { one in learned.contains { $0.isSame(as: one) } }) {
        guard validation.inSample else {
          throw Failure(
            Failure.badInput,
            "the survey \(path) holds the trace \(shared.trace), which is scored: give another recording, --cross-validate traces, or --in-sample")
        }
        isInSample = true
      }
      survey += learned.map { ($0, Array($0.epochs.indices)) }
      // Anchors keep their numbers, and new ones get further numbers.
      reading = all
    }
    self.reading = reading
    if let calibration, let constants = given {
      let fitted = targets.filter {
        constants.calibration.wasFitted(on: $0, of: readers[$0.file])
      }
      isInSample = isInSample || !fitted.isEmpty
      if let first = fitted.first, !validation.inSample {
        throw Failure(
          Failure.badInput,
          "\(calibration) was fitted on the trace \(first.trace) of \(inputs[first.file]), which is scored here: give a calibration of other recordings, --cross-validate traces, or --in-sample to score it all the same")
      }
      folds = [
        Fold(
          leftOut: nil, epochs: targets.indices.map { ($0, Array(targets[$0].epochs.indices)) },
          constants: constants, survey: survey)
      ]
    } else {
      folds = try Self.crossValidated(
        inputs, targets, validation, asking, reporting).map { fold in
          var fold = fold
          fold.survey += survey
          return fold
        }
    }
  }

  /// Refuses one recording that is scored twice: it would pass for two, and give itself away.
  private static func requireDifferent(_ targets: [AskedTarget], _ inputs: [String]) throws {
    for (index, one) in targets.enumerated() {
      if let other = targets[..<index].first(where: { $0.isSame(as: one) }) {
        throw Failure(
          Failure.badInput,
          "the trace \(one.name) of \(inputs[one.file]) holds the same sightings as \(other.name) of \(inputs[other.file]): it would count twice")
      }
    }
  }

  private static func crossValidated(
    _ inputs: [String], _ targets: [AskedTarget], _ validation: ValidationOptions,
    _ asking: AskingOptions, _ reporting: ReportingOptions
  ) throws -> [Fold] {
    var options = try FitOptions.parse([])
    options.estimator = validation.estimator
    options.site = asking.site
    let plan = try FitPlan(options, merging: nil)
    return try CrossValidatedFolds(
      kind: validation.crossValidate ?? .traces, plan: plan,
      grouping: validation.by ?? Grouping(parts: []),
      readings: try plan.gather(inputs, reporting: reporting), targets: targets
    ).folds()
  }

  /// Answers and scores all questions.
  func document() throws -> EvaluationDocument {
    let knowledge = FoldSurroundings(
      dimensions: asking.dimensions == 3 ? .space : .plane, bounds: asking.bounds?.bounds,
      site: site, reading: reading)
    let asked = try QuestionedTargets(targets, folds, knowledge, areStops: areStops)
    let answers = asked.answers(
      of: algorithms, anchors: { reading.anchors(for: $0).map(\.id) }, quiet: reporting.quiet)
    var settings = LeaderboardSettings()
    settings.zones = site?.rooms ?? []
    settings.measuresLag = asking.clockOffset == "estimate"
    let board = Leaderboard(traces: asked.traces, answers: answers, settings: settings)
    var notes = notes + Set(folds.flatMap(\.constants.notes)).sorted()
    if isInSample {
      notes.append("in sample: recordings are scored here that were fitted or learned from; the errors flatter")
    }
    if reading.notNegative > 0 {
      notes.append("left out \(reading.notNegative) sightings at 0 dBm and above, which no radio link has")
    }
    if let bounds = knowledge.bounds ?? site?.bounds, !asked.traces.isEmpty,
      !targets.contains(where: { reading.anchors(for: $0.role).contains { bounds.contains($0) } })
    {
      notes.append("no anchor is inside the bounds: check the site's rooms and walls, or --bounds")
    }
    var files = inputs + validation.survey
    if let calibration { files.append(calibration) }
    if let site = asking.site { files.append(site) }
    return EvaluationDocument(
      title: "Positioning algorithms on " + inputs.map(fileStem).joined(separator: ", "),
      traces: asked.traces, answers: answers, leaderboard: board, site: knowledge.reported(targets),
      calibration: folds.flatMap(\.reported), settings: reportedSettings,
      provenance: EvaluationProvenance(
        version: toolVersion, commandLine: commandLine(),
        inputs: try provenance(of: "eval", inputs: files).inputs.map {
          .init(name: $0.name, sha256: $0.sha256, bytes: $0.bytes)
        }), notes: notes)
  }

  /// Whether each epoch is a stop, or all visits of a place.
  private var areStops: Bool { reading.plan == .stays || reading.plan == .places }

  private var reportedSettings: EvaluationSettings {
    var others: [EvaluationSettings.Other] = []
    if let kind = validation.crossValidate {
      others.append(.init(name: "cross-validation", value: "leave out \(kind.rawValue)"))
      others.append(.init(name: "fits by", value: (validation.by ?? Grouping(parts: [])).description))
    }
    if asking.clockOffset != "0s" {
      others.append(.init(name: "clock offset of the truth", value: asking.clockOffset))
    }
    return EvaluationSettings(
      epoch: asking.epoch, window: asking.window,
      truthAt: areStops ? "stop" : truthAt.sorted().joined(separator: ", "),
      levels: levels.sorted().joined(separator: ", "),
      dimensions: asking.dimensions == 3 ? "space" : "plane",
      separation: validation.crossValidate != nil
        ? .crossValidated : isInSample ? .inSample : .otherRecordings,
      others: others)
  }
}

/// Whether a filter, as it was written, says the level at a sighting with the help of later ones.
private func needsLaterSightings(_ filter: String) -> Bool {
  (try? FilterSpecification(filter)).map { !$0.kind.isCausal } ?? false
}

extension Bounds {
  fileprivate func contains(_ node: Node) -> Bool {
    (minimum.x...maximum.x).contains(node.x) && (minimum.y...maximum.y).contains(node.y)
  }
}

extension AskingOptions {
  /// The filter whose levels of a file to use; nil = the raw ones.
  fileprivate func filter(of reader: TraceReader) throws -> String? {
    if filtered == "none" { return nil }
    if let filtered {
      try requireFilter(filtered, of: reader)
      return filtered
    }
    let names = reader.filterNames()
    guard names.count < 2 else {
      throw Failure(
        Failure.usage, "\(reader.path) has the levels of several filters: choose with --filtered "
          + names.joined(separator: ", ") + " or none")
    }
    return names.first
  }
}
