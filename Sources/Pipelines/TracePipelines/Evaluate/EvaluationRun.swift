import Evaluation
import Geometry
import PathLoss
import Positioning
import Recordings
import Registries
import Sightings
import Sites
import Support
import TraceStore

/// One evaluation: algorithms on recordings with truth, on the levels of one filter, with one
/// calibration.
final class EvaluationRun {
  /// The source of the constants of the folds.
  enum Constants {
    /// A file, whose own constants all folds use; none in a building whose anchors have no known
    /// places.
    case given(LinkConstants?, file: String?)
    case fitted(names: [String], [Fold])
  }

  private let request: EvaluationRequest
  private let algorithms: [ChosenAlgorithm]
  private let tool: ToolIdentity
  private let log: any ActivityLog
  private let plan: SitePlan
  private let recordings: EvaluatedRecordings
  private let calibration: String?
  private let foldNames: [String]
  /// The folds to answer.
  private let folds: [Fold]
  /// The share of scored readings that were fitted or learned from; nil if it is not known.
  private let sharedShare: Double?

  /// - Throws: `RSSIError` if the constants were fitted on the scored recordings.
  init(
    _ request: EvaluationRequest, _ recordings: EvaluatedRecordings, _ constants: Constants,
    plan: SitePlan, in context: StageContext
  ) throws {
    self.request = request
    self.plan = plan
    tool = context.tool
    log = context.log
    algorithms = try request.chosenAlgorithms
    switch constants {
    case .given(let constants, let file):
      var recordings = recordings
      if let channels = constants?.channels { recordings.remove(channels) }
      let surveyed = recordings.sharedShare
      sharedShare =
        if let constants, let file {
          try recordings.share(fittedBy: constants.calibration, of: file).map { max($0, surveyed) }
        } else { surveyed }
      calibration = request.calibrations.isEmpty ? nil : file
      let knowledge = SiteKnowledge(
        plan, anchors: recordings.anchors, constants: constants,
        survey: recordings.mapped
          ?? SurveyedSite(
            recordings.survey, among: recordings.anchors, isInBuilding: plan.building != nil))
      foldNames = recordings.targets.map(\.name)
      folds = recordings.targets.enumerated()
        .filter { request.share?.has(fold: $0.offset, traces: [$0.element.trace]) ?? true }
        .map { number, target in
          let all = TargetEpochs(target: number, epochs: Array(target.epochs.indices))
          return Fold(number: number, scored: [all], knowledge: knowledge)
        }
      self.recordings = recordings
    case .fitted(let names, let folds):
      (foldNames, self.folds, self.recordings) = (names, folds, recordings)
      (calibration, sharedShare) = (nil, recordings.sharedShare)
    }
  }

  /// Answers the questions.
  func variant(named name: String) throws -> EvaluationShard.Variant {
    let list = try QuestionList(recordings.targets, folds, height: request.height)
    let answers = list.answers(
      of: algorithms, anchors: recordings.anchors, times: request.times, log: log)
    var answered = folds.map { fold in
      AnsweredFold(
        number: fold.number, learned: list.numbers(of: fold.learned),
        calibration: fold.reportedConstants,
        notes: (fold.knowledge.constants?.notes ?? []) + fold.notes,
        outcomes: algorithms.map { _ in [] })
    }
    for (batch, outcomes) in zip(list.batches, answers) {
      answered[batch.fold].numbers += batch.questions
      answered[batch.fold].questions += batch.questions.map { list.questions[$0] }
      for (algorithm, outcomes) in outcomes.enumerated() {
        answered[batch.fold].outcomes[algorithm] += outcomes
      }
    }
    return EvaluationShard.Variant(name: name, outline: try outline, folds: answered)
  }

  private var outline: EvaluationOutline {
    get throws {
      EvaluationOutline(
        title: "Positioning algorithms on "
          + request.inputs.map(fileStem).joined(separator: ", "),
        recordings: recordings.targets.map {
          .init(
            name: $0.name, questions: $0.epochs.count, device: $0.node,
            site: recordings.sites[$0.path])
        },
        algorithms: algorithms.map {
          .init(name: $0.name, isCausal: $0.algorithm(anchors: []).isCausal)
        },
        folds: foldNames, settings: settings, measuresLag: request.clockOffset == nil,
        notes: recordings.notes, lastNotes: lastNotes,
        site: try plan.reported(
          anchors: reportedAnchors, request.names, showsFloor: request.showsFloor),
        provenance: try provenance)
    }
  }

  private var lastNotes: [String] {
    var notes: [String] = []
    if separation == .inSample {
      notes.append(
        "in sample: scored recordings were also fitted or learned from, so the errors are optimistic"
      )
    }
    if let bounds = plan.bounds, !recordings.targets.isEmpty,
      !reportedAnchors.contains(where: { bounds.contains($0) })
    {
      notes.append("no anchor is inside the bounds: check the site's rooms and walls, or `bounds`")
    }
    if let note = plan.coarseness { notes.append(note) }
    return notes
  }

  /// The anchors by which targets of the evaluation are located.
  private var reportedAnchors: [Node] {
    recordings.targets.map(\.role).reduce(into: [NodeRole]()) {
      if !$0.contains($1) { $0.append($1) }
    }.flatMap { recordings.anchors.locating($0) }
  }

  var settings: EvaluationSettings {
    let (epoch, window) = request.epoch.description
    var others: [EvaluationSettings.Other] = []
    if request.crossValidate != nil {
      others.append(.init(name: "fits by", value: (request.by ?? Grouping()).description))
      if let scope = request.channelOffsets, scope != .none {
        others.append(.init(name: "channel offsets", value: scope.rawValue))
      }
    }
    if let block = request.intervalBlock {
      others.append(
        .init(
          name: "intervals and tests",
          value: "from blocks of \(written(duration: block)) of each trace, as if errors further "
            + "apart in a trace were independent; several traces count as such, and their "
            + "blocks within them"))
    }
    return EvaluationSettings(
      epoch: epoch, window: window,
      truthAt: request.epoch.areStops
        ? "stop" : recordings.truthAt.sorted().joined(separator: ", "),
      clockOffset: request.clockOffset.map { written(duration: $0) } ?? "estimate",
      levels: recordings.levels.sorted().joined(separator: ", "),
      dimensions: request.dimensions == .space ? "space" : "plane",
      height: request.dimensions == .space ? nil : request.height.description,
      separation: separation, crossValidation: request.crossValidate?.rawValue,
      sharedShare: sharedShare,
      resampled: request.intervalBlock.map { .blocks($0.nanoseconds) }
        ?? (request.epoch.areStops ? .places : .traces),
      margin: request.equivalence,
      others: others)
  }

  private var separation: EvaluationSettings.Separation {
    if recordings.sharedShare > 0 || recordings.repeatsWalks || sharedShare ?? 0 > 0 {
      return .inSample
    }
    if request.crossValidate != nil { return .crossValidated }
    return sharedShare == nil ? .unknown : .otherRecordings
  }

  private var provenance: EvaluationProvenance {
    get throws {
      let files =
        request.inputs + request.survey
        + [calibration, request.radioMap, request.site].compactMap(\.self)
      return EvaluationProvenance(
        version: tool.version, commandLine: tool.commandLine,
        inputs: try InputDigests(of: files).wait().map {
          .init(name: $0.name, sha256: $0.sha256, bytes: $0.bytes)
        })
    }
  }
}

extension Bounds {
  fileprivate func contains(_ node: Node) -> Bool {
    (minimum.x...maximum.x).contains(node.x) && (minimum.y...maximum.y).contains(node.y)
  }
}
