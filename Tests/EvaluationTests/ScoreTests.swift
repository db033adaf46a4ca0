import Evaluation
import Positioning
import Testing

/// A record of answers at these distances from the truth; nil is a refusal.
func record(_ errors: [Double?], refusal: Refusal = .tooFewAnchors) -> TraceRecord {
  var record = TraceRecord()
  for error in errors {
    let outcome: Outcome =
      error.map {
        .located(Estimate(position: Point(x: 1 + $0, y: 2), uncertainty: .unavailable(.noErrorModel)))
      } ?? .refused(refusal)
    record.append(outcome, truth: Point(x: 1, y: 2))
  }
  return record
}

struct ScoreTests {
  @Test("a record keeps an error or a reason for each epoch")
  func trace() {
    var record = record([3, nil, 0])
    record.append(.refused(.collinearAnchors), truth: Point(x: 0, y: 0))
    #expect(record.errors == [3, nil, 0, nil])
    #expect(record.refusals == [.tooFewAnchors: 1, .collinearAnchors: 1])
  }

  @Test("pools the traces and adds up the refusals")
  func pooled() {
    let score = Score(
      name: "epta",
      traces: [record([1, nil, 2]), record([6, nil], refusal: .noCommonPoint), record([nil])])
    #expect(score.statistics == ErrorStatistics(errors: [1, 2, 6], asked: 6))
    #expect(score.refusals == [.tooFewAnchors: 2, .noCommonPoint: 1])
    #expect(score.medianInterval == .unavailable(.tooFewTraces(2)))
    let many = Score(name: "epta", traces: (1...5).map { record([Double($0)]) })
    #expect(many.medianInterval.interval != nil && many.p75Interval.interval != nil)
  }

  @Test("one trace has statistics but no interval")
  func oneTrace() {
    let score = Score(name: "epta", traces: [record([1, 2])])
    #expect(score.statistics.errors?.median == 1.5)
    #expect(score.medianInterval == .unavailable(.tooFewTraces(1)))
  }
}
