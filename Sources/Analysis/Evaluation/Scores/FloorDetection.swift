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
  /// The confidence interval of the share of questions on the right floor over traces.
  package var interval: IntervalOutcome
  /// The errors in the plane with a penalty of 15 m per floor, as in the competitions of IPIN; `nil`
  /// if nothing was answered.
  package var penalised: ErrorSummary?
  /// The errors in the plane of the answers on the right floor; `nil` without such answers.
  package var onRightFloor: ErrorSummary?
  /// The answers by the probability that they claim for their floor, from the highest; empty if none
  /// has a probability.
  package var claims: [Claim]

  /// The number of questions.
  package var asked: Int { answered + unanswered.reduce(0, +) }
  private var answered: Int { counts.joined().reduce(0, +) }
  /// The number of questions answered on the right floor.
  package var right: Int { floors.indices.reduce(0) { $0 + counts[$1][$1] } }
  /// The share of all questions that are answered on the right floor; `nil` without questions.
  package var rate: Double? { asked > 0 ? Double(right) / Double(asked) : nil }

  /// The penalty in metres for each floor between the answer and the truth (IPIN competitions,
  /// "Evaluation of indoor positioning systems", Potortì et al. 2017).
  private static let penalty = 15.0
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
    var right = traces.map { _ in 0 }
    var asked = right
    var (penalised, onRightFloor): ([Double], [Double]) = ([], [])
    for (index, (trace, outcomes)) in zip(traces, answers.outcomes).enumerated() {
      for (question, outcome) in zip(trace.questions, outcomes) {
        guard let truth = question.truthFloor, floors.indices.contains(truth) else { continue }
        asked[index] += 1
        guard case .located(let estimate) = outcome, let floor = estimate.floor,
          floors.indices.contains(floor)
        else {
          unanswered[truth] += 1
          continue
        }
        counts[truth][floor] += 1
        let error = estimate.position.distance(to: question.truth)
        penalised.append(error + Self.penalty * Double(abs(floor - truth)))
        if floor == truth {
          right[index] += 1
          onRightFloor.append(error)
        }
        guard let claimed = estimate.floorProbability else { continue }
        let number = claims.firstIndex { claimed >= $0.least } ?? claims.count - 1
        claims[number].answered += 1
        if floor == truth { claims[number].right += 1 }
      }
    }
    interval = bootstrap.shareIntervals([right], of: asked)[0]
    self.penalised = ErrorSummary(penalised)
    self.onRightFloor = ErrorSummary(onRightFloor)
    if claims.allSatisfy({ $0.answered == 0 }) { claims = [] }
  }
}
