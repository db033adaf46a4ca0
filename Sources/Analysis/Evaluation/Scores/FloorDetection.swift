import Geometry
import Positioning

/// The detection of the floor of a building, with the errors in the plane.
package struct FloorDetection: Equatable, Sendable {
  /// The answers that claim the floor with some probability.
  package struct Claim: Equatable, Sendable {
    /// The lower limit of the probability; the upper one is that of the claim before.
    package var least: Double
    package var answered: Int
    /// The number of those on the right floor.
    package var right: Int

    /// The share on the right floor; `nil` without answers.
    package var rate: Double? { answered > 0 ? Double(right) / Double(answered) : nil }
  }

  /// The names of the floors, from the lowest.
  package var floors: [String]
  /// The answered questions by true floor (row) and estimated floor (column).
  package var counts: [[Int]]
  /// The questions without an answer, by true floor.
  package var unanswered: [Int]
  /// The answers to all questions.
  package var all: FloorCondition
  /// The errors in the plane of the answers on the right floor; `nil` without such answers.
  package var onRightFloor: ErrorSummary?
  /// The answers by the probability that they claim for their floor, from the highest; empty if none
  /// has a probability.
  package var claims: [Claim]
  /// The answers by the number of levels received in the last 10 s; empty if it is unknown.
  package var byLevels: [FloorCondition]
  /// The answers by the distance from the truth to the survey in metres, each without its lower
  /// limit; empty without a survey.
  package var byDistance: [FloorCondition]
  /// The answers with at least 10 levels in the last 10 s, at most 4 m from the survey; `nil` if
  /// either is unknown.
  package var rich: FloorCondition?

  /// The lower limits of the classes of claims.
  private static let limits = [0.95, 0.8, 0.5, 0]
}

extension FloorDetection {
  /// - Parameter floors: The names of the floors, from the lowest: a wrong floor is penalised by the
  ///   number of floors in between.
  init(
    _ answers: AlgorithmAnswers, traces: [EvaluatedTrace], floors: [String],
    bootstrap: TraceBootstrap
  ) {
    self.floors = floors
    counts = Array(repeating: Array(repeating: 0, count: floors.count), count: floors.count)
    unanswered = Array(repeating: 0, count: floors.count)
    claims = Self.limits.map { Claim(least: $0, answered: 0, right: 0) }
    let answers = Self.answers(answers, traces, among: floors.indices)
    for answer in answers {
      guard let floor = answer.floor else {
        unanswered[answer.truth] += 1
        continue
      }
      counts[answer.truth][floor] += 1
      guard let claimed = answer.estimate?.floorProbability else { continue }
      let number = claims.firstIndex { claimed >= $0.least } ?? claims.count - 1
      claims[number].answered += 1
      if answer.isRight { claims[number].right += 1 }
    }
    if claims.allSatisfy({ $0.answered == 0 }) { claims = [] }
    onRightFloor = ErrorSummary(answers.filter(\.isRight).compactMap(\.error))

    func condition(
      _ limits: ClosedRange<Double>? = nil, _ isMet: (Question) -> Bool
    ) -> FloorCondition {
      FloorCondition(
        answers.filter { isMet($0.question) }, limits: limits, traces: traces.count,
        bootstrap: bootstrap)
    }
    all = condition { _ in true }
    let levels = answers.contains { $0.question.recentLevels != nil }
    let distances = answers.contains { $0.question.surveyDistance != nil }
    // A floor without a survey is far from it.
    func distance(_ question: Question) -> Double { question.surveyDistance ?? .infinity }
    byLevels =
      levels
      ? [0...0, 1...4, 5...9, 10...(.infinity)].map { limits in
        condition(limits) { $0.recentLevels.map { limits.contains(Double($0)) } ?? false }
      } : []
    byDistance =
      distances
      ? [0...2, 2...4, 4...8, 8...(.infinity)].map { limits in
        condition(limits) {
          distance($0) <= limits.upperBound
            && (limits.lowerBound == 0 || distance($0) > limits.lowerBound)
        }
      } : []
    rich =
      levels && distances
      ? condition { ($0.recentLevels ?? 0) >= 10 && distance($0) <= 4 } : nil
  }

  /// Returns the questions with a true floor, each with its answer.
  private static func answers(
    _ answers: AlgorithmAnswers, _ traces: [EvaluatedTrace], among floors: Range<Int>
  ) -> [FloorAnswer] {
    var all: [FloorAnswer] = []
    for (index, (trace, outcomes)) in zip(traces, answers.outcomes).enumerated() {
      for (question, outcome) in zip(trace.questions, outcomes) {
        guard let truth = question.truthFloor, floors.contains(truth) else { continue }
        var answer = FloorAnswer(question: question, trace: index, truth: truth)
        if let estimate = outcome.estimate, let floor = estimate.floor, floors.contains(floor) {
          (answer.estimate, answer.floor) = (estimate, floor)
        }
        all.append(answer)
      }
    }
    return all
  }
}
