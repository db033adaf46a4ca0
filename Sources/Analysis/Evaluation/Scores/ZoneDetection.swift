import Geometry
import Positioning

/// How often the estimate is in the zone where the truth is.
package struct ZoneDetection: Equatable, Sendable {
  /// The zones' names; the row and column after the last one stand for places outside all zones.
  package var zones: [String]
  /// Answered questions by true zone (row) and estimated zone (column), each zones.count + 1.
  package var counts: [[Int]]
  /// Questions without an answer, by true zone.
  package var unanswered: [Int]
  /// The confidence interval of the detection rate over traces.
  package var interval: IntervalOutcome

  /// Answered questions whose truth is in a zone.
  package var asked: Int { counts.dropLast().reduce(0) { $0 + $1.reduce(0, +) } }
  /// Those whose estimate is in the same zone.
  package var detected: Int { zones.indices.reduce(0) { $0 + counts[$1][$1] } }
  /// The share of answered questions with a truth in a zone whose estimate is in the same zone; nil
  /// where there is none.
  package var rate: Double? { asked > 0 ? Double(detected) / Double(asked) : nil }
}

extension ZoneDetection {
  init(
    _ answers: AlgorithmAnswers, traces: [EvaluatedTrace], zones: [Polygon],
    bootstrap: TraceBootstrap
  ) {
    func number(_ place: Point) -> Int { zones.firstIndex { $0.contains(place) } ?? zones.count }
    self.zones = zones.map(\.name)
    counts = Array(repeating: Array(repeating: 0, count: zones.count + 1), count: zones.count + 1)
    unanswered = Array(repeating: 0, count: zones.count + 1)
    var detected = traces.map { _ in 0 }
    var asked = detected
    for (index, (trace, outcomes)) in zip(traces, answers.outcomes).enumerated() {
      for (question, outcome) in zip(trace.questions, outcomes) {
        let truth = number(question.truth)
        guard case .located(let estimate) = outcome else {
          unanswered[truth] += 1
          continue
        }
        let said = number(estimate.position)
        counts[truth][said] += 1
        guard truth < zones.count else { continue }
        asked[index] += 1
        if said == truth { detected[index] += 1 }
      }
    }
    interval = bootstrap.shareIntervals([detected], of: asked)[0]
  }
}
