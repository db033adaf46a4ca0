import Evaluation
import Geometry
import Positioning
import Sightings
import Support

/// The questions about all targets, ready to be answered by any algorithm on any core.
struct QuestionedTargets {
  /// The questions of one target that one fold answers.
  private struct Part: Sendable {
    var target: Int
    var epochs: [Int]
    var role: NodeRole
    var scans: [Scan]
    var known: Surroundings
  }

  /// What is drawn and compared as a whole: the traces or, where every question is about a stop,
  /// the places, each with all its visits, since they share what shadows them.
  let traces: [EvaluatedTrace]
  /// For each of these, its questions by target and epoch.
  private let units: [[(target: Int, epoch: Int)]]
  private let questions: [[Question]]
  private let parts: [Part]

  /// - Parameter areStops: whether each epoch is a stop, or all visits of a place.
  init(
    _ targets: [AskedTarget], _ folds: [Fold], _ knowledge: FoldSurroundings, areStops: Bool
  ) throws {
    var parts: [Part] = []
    for fold in folds {
      let receptions = [NodeRole.receiver, .beacon].map { knowledge.receptions(fold, by: $0) }
      for (target, epochs) in fold.epochs {
        let asked = targets[target]
        let known = try knowledge.surroundings(
          of: asked, fold, receptions: receptions[asked.role == .receiver ? 0 : 1])
        parts.append(
          Part(
            target: target, epochs: epochs, role: asked.role,
            scans: knowledge.scans(asked, epochs, known), known: known))
      }
    }
    var questions = targets.map { target in
      target.epochs.map { epoch in
        Question(
          instant: epoch.instant, asked: epoch.asked, truth: epoch.truth,
          truthHeight: epoch.height, velocity: epoch.velocity, newest: epoch.newest,
          anchors: epoch.levels.count)
      }
    }
    for part in parts {
      for (scan, index) in zip(part.scans, part.epochs) {
        let question = questions[part.target][index]
        // Where the height is asked, the bound is that of the true height.
        let height = part.known.dimensions == .space ? question.truthHeight : nil
        guard part.known.dimensions == .plane || height != nil else { continue }
        questions[part.target][index].bound = cramerRaoBound(
          scan.observations, at: question.truth, height: height)
      }
    }
    self.parts = parts
    self.questions = questions
    let asked = questions
    units =
      areStops
      ? Self.places(of: asked)
      : asked.indices.map { target in asked[target].indices.map { (target, $0) } }
    traces = units.map { unit in
      let first = unit[0]
      let truth = asked[first.target][first.epoch].truth
      return EvaluatedTrace(
        name: areStops
          ? "\(decimal(truth.x, 2)), \(decimal(truth.y, 2))" : targets[first.target].name,
        questions: unit.map { asked[$0.target][$0.epoch] })
    }
  }

  /// The stops of each place, over all targets.
  private static func places(of questions: [[Question]]) -> [[(target: Int, epoch: Int)]] {
    var numbers: [Point: Int] = [:]
    var places: [[(target: Int, epoch: Int)]] = []
    for (target, asked) in questions.enumerated() {
      for (epoch, question) in asked.enumerated() {
        let number = numbers[question.truth] ?? places.count
        if number == places.count {
          numbers[question.truth] = number
          places.append([])
        }
        places[number].append((target, epoch))
      }
    }
    return places
  }

  /// What each algorithm says to every question, worked out on all cores.
  func answers(
    of algorithms: ChosenAlgorithms, anchors: (NodeRole) -> [String], log: some ActivityLog
  ) -> [AlgorithmAnswers] {
    let mapped = withRadioMaps()
    let names = [NodeRole.receiver: anchors(.receiver), .beacon: anchors(.beacon)]
    let count = algorithms.algorithms.count
    let line = log.progress("eval", total: mapped.count * count)
    let outcomes = parallel(mapped.count * count, done: line.update) { job in
      let part = mapped[job / count]
      return algorithms.algorithm(job % count, anchors: names[part.role] ?? [])
        .locate(part.scans, in: part.known)
    }
    line.finish()
    return algorithms.algorithms.indices.map { index in
      var all = questions.map { [Outcome?](repeating: nil, count: $0.count) }
      for (number, part) in mapped.enumerated() {
        for (outcome, epoch) in zip(outcomes[number * count + index], part.epochs) {
          all[part.target][epoch] = outcome
        }
      }
      return AlgorithmAnswers(
        name: algorithms.algorithms[index].name,
        isCausal: algorithms.algorithm(index, anchors: []).isCausal,
        outcomes: units.map { unit in unit.compactMap { all[$0.target][$0.epoch] } })
    }
  }

  /// The parts with what is learned from their surveys: once where neighbours know the same.
  private func withRadioMaps() -> [Part] {
    var firsts: [Int] = []
    var source: [Int] = []
    for (index, part) in parts.enumerated() {
      if let last = firsts.last, parts[last].known.survey == part.known.survey,
        parts[last].known.anchors == part.known.anchors
      {
        source.append(firsts.count - 1)
      } else {
        firsts.append(index)
        source.append(firsts.count - 1)
      }
    }
    let (parts, chosen) = (parts, firsts)
    let maps = parallel(firsts.count) { index -> RadioMap? in
      let known = parts[chosen[index]].known
      return known.survey.isEmpty ? nil : RadioMap(survey: known.survey, anchors: known.anchors)
    }
    return zip(parts, source).map { part, map in
      var part = part
      part.known.radioMap = maps[map]
      return part
    }
  }
}
