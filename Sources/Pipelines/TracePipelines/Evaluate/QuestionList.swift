import Evaluation
import Geometry
import Positioning
import Sightings
import Support

/// The questions about all targets, each with its number, and what is known to answer them.
struct QuestionList {
  /// Questions about one target that are answered with the same knowledge.
  struct Part: Sendable {
    /// Their numbers, in order of time.
    var questions: [Int]
    /// The target's.
    var role: NodeRole
    var scans: [Scan]
    var known: Surroundings
  }

  /// Questions that are drawn and compared as a whole.
  struct Unit {
    var name: String
    /// Their numbers.
    var questions: [Int]
  }

  private(set) var questions: [Question] = []
  /// The traces; where every question is about a stop, the places, each with all its visits, since
  /// they share what shadows them; or blocks of time of each trace.
  private(set) var units: [Unit] = []
  private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - areStops: whether each epoch is a stop, or all visits of a place.
  ///   - height: that of the targets, in the plane.
  ///   - block: nanoseconds of the blocks that are units; nil = traces, or places.
  init(
    _ targets: [AskedTarget], _ folds: [Fold], areStops: Bool, height: TargetHeight,
    block: Int64? = nil
  ) throws {
    // The number of each target's first question.
    var first: [Int] = []
    for target in targets {
      let start = questions.count
      first.append(start)
      questions += target.epochs.map { Question($0, recording: first.count - 1) }
      units.append(Unit(name: target.name, questions: Array(start..<questions.count)))
    }
    for fold in folds {
      for scored in fold.scored {
        let target = targets[scored.target]
        try add(
          target, scored.epochs, fold.knowledge, first[scored.target],
          height: height.metres(of: target))
      }
    }
    if let block {
      units = units.flatMap { blocks(of: $0, length: block) }
    } else if areStops {
      units = places
    }
  }

  var traces: [EvaluatedTrace] {
    units.map { unit in
      EvaluatedTrace(name: unit.name, questions: unit.questions.map { questions[$0] })
    }
  }

  /// - Parameters:
  ///   - first: the number of the target's first question.
  ///   - height: the target's, metres; nil = the median of the anchors.
  private mutating func add(
    _ target: AskedTarget, _ epochs: [Int], _ knowledge: SiteKnowledge, _ first: Int,
    height: Double?
  ) throws {
    let known = try knowledge.surroundings(
      of: target.node, target.role, in: target.trace, height: height)
    let part = Part(
      questions: epochs.map { first + $0 }, role: target.role,
      scans: epochs.map {
        target.epochs[$0].heard.scan(asked: target.epochs[$0].asked, anchors: known.anchors)
      }, known: known)
    parts.append(part)
    for (scan, number) in zip(part.scans, part.questions) {
      let question = questions[number]
      // Where the height is asked, the bound is that of the true height.
      let height = known.dimensions == .space ? question.truthHeight : nil
      guard known.dimensions == .plane || height != nil else { continue }
      questions[number].bound = cramerRaoBound(
        scan.observations, at: question.truth, height: height)
    }
  }

  /// A trace in blocks of time, from its first question on; without those that have no question.
  private func blocks(of unit: Unit, length: Int64) -> [Unit] {
    guard let start = unit.questions.map({ questions[$0].instant }).min() else { return [] }
    var blocks: [(number: Int64, unit: Unit)] = []
    for question in unit.questions {
      let number = (questions[question].instant - start) / length
      if blocks.last?.number != number {
        blocks.append((number, Unit(name: "\(unit.name), block \(number + 1)", questions: [])))
      }
      blocks[blocks.count - 1].unit.questions.append(question)
    }
    return blocks.map(\.unit)
  }

  /// The stops of each place, over all targets.
  private var places: [Unit] {
    var numbers: [Point: Int] = [:]
    var places: [Unit] = []
    for (number, question) in questions.enumerated() {
      let place = question.truth
      if let known = numbers[place] {
        places[known].questions.append(number)
      } else {
        numbers[place] = places.count
        places.append(
          Unit(name: "\(decimal(place.x, 2)), \(decimal(place.y, 2))", questions: [number]))
      }
    }
    return places
  }
}

extension TargetHeight {
  /// Metres above the site's zero of heights; nil = the median of the anchors.
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
      truthHeight: epoch.height, velocity: epoch.velocity, recording: recording,
      newest: epoch.heard.levels.map(\.time).max(), anchors: epoch.heard.levels.count,
      packets: epoch.heard.levels.reduce(0) { $0 + $1.packets })
  }
}

extension QuestionList {
  /// What each algorithm answers to every question, worked out on all cores.
  ///
  /// - Parameter anchors: for the targets' roles.
  func answers(
    of algorithms: [ChosenAlgorithm], anchors: SiteAnchors, log: any ActivityLog
  ) -> [AlgorithmAnswers] {
    let parts = partsWithMaps(log)
    let names = Dictionary(
      uniqueKeysWithValues: [NodeRole.receiver, .beacon].map {
        ($0, anchors.locating($0).map(\.id))
      })
    let line = log.progress("eval", total: parts.count * algorithms.count)
    let outcomes = parallel(parts.count * algorithms.count, done: line.update) { job in
      let part = parts[job / algorithms.count]
      return algorithms[job % algorithms.count].algorithm(anchors: names[part.role] ?? [])
        .locate(part.scans, in: part.known)
    }
    line.finish()
    return algorithms.enumerated().map { index, algorithm in
      var answers = [Outcome?](repeating: nil, count: questions.count)
      for (number, part) in parts.enumerated() {
        for (question, outcome) in zip(
          part.questions, outcomes[number * algorithms.count + index])
        {
          answers[question] = outcome
        }
      }
      return AlgorithmAnswers(
        name: algorithm.name, isCausal: algorithm.algorithm(anchors: []).isCausal,
        outcomes: units.map { unit in unit.questions.compactMap { answers[$0] } })
    }
  }

  /// The parts with what is learned from their surveys: once where neighbours know the same.
  private func partsWithMaps(_ log: any ActivityLog) -> [Part] {
    var runs: [Range<Int>] = []
    for index in parts.indices {
      if let run = runs.last, parts[run.lowerBound].known.hasSameMap(as: parts[index].known) {
        runs[runs.count - 1] = run.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    let (parts, starts) = (parts, runs.map(\.lowerBound))
    let line = log.progress("eval: radio maps", total: starts.count)
    let maps = parallel(starts.count, done: line.update) { parts[starts[$0]].known.learnedMap }
    line.finish()
    var mapped = parts
    for (run, map) in zip(runs, maps) {
      for index in run { mapped[index].known.radioMap = map }
    }
    return mapped
  }
}
