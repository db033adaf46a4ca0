import Evaluation
import Positioning

/// One algorithm's answers, with its line and its place in the leaderboard.
struct RankedAnswers {
  /// Counted from 0.
  let place: Int
  let score: Score
  let answers: AlgorithmAnswers

  var name: String { score.name }
}

extension EvaluationDocument {
  /// The algorithms in the order of the leaderboard.
  var ranked: [RankedAnswers] {
    var byName: [String: AlgorithmAnswers] = [:]
    for answer in answers { byName[answer.name] = answer }
    return leaderboard.scores.enumerated().compactMap { place, score in
      byName[score.name].map { RankedAnswers(place: place, score: score, answers: $0) }
    }
  }

  /// The place of each algorithm in the leaderboard.
  var places: [String: Int] {
    var places: [String: Int] = [:]
    for (place, score) in leaderboard.scores.enumerated() { places[score.name] = place }
    return places
  }

  /// How many questions were asked of each algorithm.
  var questionCount: Int { traces.reduce(0) { $0 + $1.questions.count } }
}

extension Outcome {
  var estimate: Estimate? {
    if case .located(let estimate) = self { estimate } else { nil }
  }
}
