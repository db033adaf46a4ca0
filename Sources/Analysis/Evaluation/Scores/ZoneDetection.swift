import Geometry
import Positioning

/// The detection of the zone that contains the truth.
package struct ZoneDetection: Equatable, Sendable {
  /// The names of the zones; the row and column after the last one are for places outside all
  /// zones.
  package var zones: [String]
  /// The answered questions by true zone (row) and estimated zone (column), each zones.count + 1.
  package var counts: [[Int]]
  /// The questions without an answer, by true zone.
  package var unanswered: [Int]
  /// The confidence interval of the detection rate over traces.
  package var interval: IntervalOutcome

  /// The number of answered questions with the truth in a zone.
  package var asked: Int { counts.dropLast().reduce(0) { $0 + $1.reduce(0, +) } }
  /// The number of those whose estimate is in the same zone.
  package var detected: Int { zones.indices.reduce(0) { $0 + counts[$1][$1] } }
  /// The share of answered questions with the truth in a zone whose estimate is in the same zone;
  /// `nil` if there are none.
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
