import Evaluation
import Geometry
import Positioning

/// The distance of each answer from the truth, in metres: worked out once for a whole page.
struct AnswerErrors {
  /// An answered question.
  struct Place {
    var trace: Int
    var question: Int
    var error: Double
  }

  let one: RankedAnswers
  /// In ascending order.
  let sorted: [Double]
  /// Questions that were asked.
  let asked: Int
  /// The answers that are farthest off, the farthest first.
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

  /// Points of the distribution function over the questions asked: at most so many of them, with
  /// the first and the last.
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
