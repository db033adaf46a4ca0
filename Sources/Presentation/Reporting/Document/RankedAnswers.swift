import Evaluation
import Geometry
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

  /// The number of questions that each algorithm was asked.
  var questionCount: Int { traces.reduce(0) { $0 + $1.questions.count } }
}

/// The error of each answer in metres, computed once per page.
struct AnswerErrors {
  /// An answered question.
  struct Place {
    var trace: Int
    var question: Int
    var error: Double
  }

  let one: RankedAnswers
  /// The errors in ascending order.
  let sorted: [Double]
  /// The number of questions.
  let asked: Int
  /// The worst answers, the farthest first.
  let worst: [Place]

  init(_ one: RankedAnswers, traces: [EvaluatedTrace], worst count: Int) {
    self.one = one
    var places: [Place] = []
    for (trace, outcomes) in one.answers.outcomes.enumerated() {
      for (question, outcome) in outcomes.enumerated() {
        guard let estimate = outcome.estimate else { continue }
        let error = estimate.position.distance(to: traces[trace].questions[question].truth)
        places.append(Place(trace: trace, question: question, error: error))
      }
    }
    asked = one.answers.outcomes.reduce(0) { $0 + $1.count }
    // Equal errors keep their order in time, so that the same input gives the same page.
    places.sort { ($0.error, $1.trace, $1.question) < ($1.error, $0.trace, $0.question) }
    sorted = places.map(\.error)
    worst = places.suffix(count).reversed()
  }

  /// Returns points of the distribution function over all questions, including the first and the
  /// last.
  func steps(atMost count: Int) -> [(error: Double, rank: Int)] {
    guard sorted.count > count else {
      return sorted.enumerated().map { ($0.element, $0.offset + 1) }
    }
    return (0..<count).map { index in
      let rank = index * (sorted.count - 1) / (count - 1)
      return (sorted[rank], rank + 1)
    }
  }
}
