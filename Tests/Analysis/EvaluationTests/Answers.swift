import Evaluation
import Geometry
import Positioning

/// Questions one second apart, the truth at (1, 2), as many in each trace.
func questions(_ counts: [Int]) -> [EvaluatedTrace] {
  counts.enumerated().map { number, count in
    EvaluatedTrace(
      name: "walk-\(number + 1)",
      questions: (0..<count).map {
        let instant = Int64($0 + 1) * 1_000_000_000
        return Question(instant: instant, asked: instant, truth: Point(x: 1, y: 2))
      })
  }
}

/// Answers to the right of the truth at these distances; nil is a refusal.
func answers(
  _ name: String, _ errors: [[Double?]], refusal: Refusal = .tooFewAnchors
) -> AlgorithmAnswers {
  AlgorithmAnswers(
    name: name,
    outcomes: errors.map { trace in
      trace.map { error in
        guard let error else { return .refused(refusal) }
        return .located(
          Estimate(position: Point(x: 1 + error, y: 2), uncertainty: .unavailable(.noErrorModel)))
      }
    })
}

/// The answer to a question that cannot be refused.
func located(_ x: Double, _ y: Double, _ covariance: Covariance? = nil, z: Double? = nil) -> Outcome
{
  .located(
    Estimate(
      position: Point(x: x, y: y), height: z,
      uncertainty: covariance.map { .covariance($0) } ?? .unavailable(.noErrorModel)))
}
