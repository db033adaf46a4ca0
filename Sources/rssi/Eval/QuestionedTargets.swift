import Evaluation
import Positioning
import Sightings

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

  /// What resembles itself and nothing else: the traces or, where every question is about a stop of
  /// its own, the stops.
  let traces: [EvaluatedTrace]
  private let questions: [[Question]]
  private let parts: [Part]
  private let areStops: Bool

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
    self.areStops = areStops
    traces = zip(targets, questions).flatMap { target, questions in
      areStops
        ? questions.map {
          EvaluatedTrace(
            name: "\(target.name) at \(decimal($0.truth.x, 2)), \(decimal($0.truth.y, 2))",
            questions: [$0])
        } : [EvaluatedTrace(name: target.name, questions: questions)]
    }
  }

  /// What each algorithm says to every question, worked out on all cores.
  func answers(of algorithms: ChosenAlgorithms, anchors: (NodeRole) -> [String], quiet: Bool)
    -> [AlgorithmAnswers]
  {
    let mapped = withRadioMaps()
    let names = [NodeRole.receiver: anchors(.receiver), .beacon: anchors(.beacon)]
    let count = algorithms.algorithms.count
    let line = ProgressLine("eval", total: mapped.count * count, quiet: quiet)
    let outcomes = parallel(mapped.count * count, done: { line.update($0) }) { job in
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
        isCausal: algorithms.algorithm(index, anchors: []).isCausal, outcomes: areStops
          ? all.joined().compactMap(\.self).map { [$0] } : all.map { $0.compactMap(\.self) })
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
