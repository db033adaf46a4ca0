import Evaluation
import Geometry
import Positioning
import Sightings
import Support

/// The numbered questions about all targets, and the knowledge to answer those of some folds.
struct QuestionList {
  /// Questions about one target that are answered with the same knowledge.
  struct Batch: Sendable {
    /// The place of their fold in the list of folds.
    var fold: Int
    /// The numbers of the questions, in order of time.
    var questions: [Int]
    /// The role of the target.
    var role: NodeRole
    var scans: [Scan]
    var known: Surroundings
  }

  private(set) var questions: [Question] = []
  /// The number of each target's first question.
  private var first: [Int] = []
  private(set) var batches: [Batch] = []

  /// - Parameter height: the height of the targets, in the plane.
  init(_ targets: [AskedTarget], _ folds: [Fold], height: TargetHeight) throws {
    for target in targets {
      first.append(questions.count)
      questions += target.epochs.map { Question($0, recording: first.count - 1) }
    }
    for (number, fold) in folds.enumerated() {
      for scored in fold.scored {
        let target = fold.targets[scored.target] ?? targets[scored.target]
        try add(
          target, scored.epochs, number, fold.knowledge, first[scored.target],
          height: height.metres(of: target))
      }
    }
  }

  /// Returns the numbers of the questions at some epochs.
  func numbers(of epochs: [TargetEpochs]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for number in epochs.flatMap({ part in part.epochs.map { first[part.target] + $0 } }).sorted() {
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<number + 1
      } else {
        ranges.append(number..<number + 1)
      }
    }
    return ranges
  }

  /// - Parameters:
  ///   - first: the number of the target's first question.
  ///   - height: the height of the target, metres; nil = that of the survey or of the anchors.
  private mutating func add(
    _ target: AskedTarget, _ epochs: [Int], _ fold: Int, _ knowledge: SiteKnowledge,
    _ first: Int, height: Double?
  ) throws {
    var known = try knowledge.surroundings(
      of: target.node, target.role, in: target.trace, height: height)
    // The targets of one survey share the memory of its anchors and levels.
    if let last = batches.last?.known, last.hasSameMap(as: known) {
      (known.anchors, known.survey) = (last.anchors, last.survey)
    }
    let batch = Batch(
      fold: fold, questions: epochs.map { first + $0 }, role: target.role,
      scans: epochs.map {
        target.epochs[$0].heard.scan(asked: target.epochs[$0].asked, anchors: known.anchors)
      }, known: known)
    batches.append(batch)
    if known.building != nil {
      let conditions = QuestionConditions(target, survey: known.survey)
      for (epoch, number) in zip(epochs, batch.questions) {
        conditions.complete(&questions[number], epoch: epoch)
      }
    }
    for (scan, number) in zip(batch.scans, batch.questions) {
      let question = questions[number]
      // If the height is estimated, the bound is that at the true height.
      let height = known.dimensions == .space ? question.truthHeight : nil
      guard known.dimensions == .plane || height != nil else { continue }
      questions[number].bound = cramerRaoBound(
        scan.observations, at: question.truth, height: height)
    }
  }
}

extension TargetHeight {
  /// Returns metres above the site's zero of heights; nil = that of the survey or of the
  /// anchors.
  fileprivate func metres(of target: AskedTarget) -> Double? {
    switch self {
    case .anchors: nil
    case .metres(let height): height
    case .truth: target.height
    }
  }
}

extension Question {
  fileprivate init(_ epoch: AskedEpoch, recording: Int) {
    self.init(
      instant: epoch.heard.instant, asked: epoch.asked, truth: epoch.truth,
      truthHeight: epoch.height, truthFloor: epoch.floor, velocity: epoch.velocity,
      recording: recording,
      newest: epoch.heard.levels.map(\.time).max(), anchors: epoch.heard.levels.count,
      packets: epoch.heard.levels.reduce(0) { $0 + $1.packets })
  }
}

extension QuestionList {
  /// Returns the answers of each algorithm to the questions of each batch, computed on all cores.
  ///
  /// - Parameters:
  ///   - anchors: the anchors for the targets' roles.
  ///   - times: the receiver of the computing times.
  /// - Returns: by batch and by algorithm, the answers in the order of the batch's questions.
  func answers(
    of algorithms: [ChosenAlgorithm], anchors: SiteAnchors, times: AnswerTimes? = nil,
    log: any ActivityLog
  ) -> [[[Outcome]]] {
    let batches = batchesWithMaps(log)
    let names = Dictionary(
      uniqueKeysWithValues: [NodeRole.receiver, .beacon].map {
        ($0, anchors.locating($0).map(\.id))
      })
    let notes = DistinctLog(log)
    let line = log.progress("eval", total: batches.count * algorithms.count)
    let outcomes = parallel(batches.count * algorithms.count, done: line.update) { job in
      let batch = batches[job / algorithms.count]
      let algorithm = algorithms[job % algorithms.count]
      let began = SystemClock.monotonic
      let outcomes = algorithm.algorithm(anchors: names[batch.role] ?? [], log: notes)
        .locate(batch.scans, on: batch.known)
      times?.add(
        outcomes.count, of: algorithm.name, seconds: Double(SystemClock.monotonic - began) / 1e9)
      return outcomes
    }
    line.finish()
    return batches.indices.map { batch in
      Array(outcomes[batch * algorithms.count..<(batch + 1) * algorithms.count])
    }
  }

  /// Returns the batches with the maps of their surveys; neighbours of one survey share a map.
  private func batchesWithMaps(_ log: any ActivityLog) -> [Batch] {
    var runs: [Range<Int>] = []
    for index in batches.indices {
      if let run = runs.last, batches[run.lowerBound].known.hasSameMap(as: batches[index].known) {
        runs[runs.count - 1] = run.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    let (batches, starts) = (batches, runs.map(\.lowerBound))
    let line = log.progress("eval: radio maps", total: starts.count)
    let maps = parallel(starts.count, done: line.update) { batches[starts[$0]].known.learnedMaps }
    line.finish()
    var mapped = batches
    for (run, maps) in zip(runs, maps) {
      for index in run {
        (mapped[index].known.radioMap, mapped[index].known.buildingMap) = (
          maps.plane, maps.building
        )
      }
    }
    return mapped
  }
}
