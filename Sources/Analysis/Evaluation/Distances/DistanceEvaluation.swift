import Geometry
import NumericalMethods
public import Positioning
public import Proximity

/// A question for the distance of a link from the packets of one window, with its true answer.
public struct DistanceQuestion: Equatable, Sendable {
  /// The series of the readings, such as one room or one way of carrying a phone.
  public let series: String
  /// The true distance, in metres.
  public let truth: Double
  /// The times of the first and the last packet, in nanoseconds since the Unix epoch.
  public private(set) var span: ClosedRange<Int64>
  /// The number of packets.
  public private(set) var packets = 0
  /// The mean level of the packets, in dBm.
  public var level: Double { sum / Double(packets) }
  private var sum = 0.0

  /// Creates a question without packets; the distance is in metres.
  package init(series: String, at distance: Double, time: Int64) {
    (self.series, truth, span) = (series, distance, time...time)
  }

  /// Adds a packet with its level in dBm.
  package mutating func add(level: Double, time: Int64) {
    span = min(span.lowerBound, time)...max(span.upperBound, time)
    packets += 1
    sum += level
  }
}

/// The answers of one algorithm to questions for distances.
public struct DistanceAnswers: Sendable {
  /// The name of the algorithm.
  public var name: String
  /// The distance for each question of each unit, or the reason why there is none.
  public var outcomes: [[Result<DistanceEstimate, Refusal>]]

  package init(name: String, outcomes: [[Result<DistanceEstimate, Refusal>]]) {
    (self.name, self.outcomes) = (name, outcomes)
  }
}

/// The comparison of algorithms that estimate distances.
///
/// A distance is a place on the x axis, as seen from the other end of the link at 0, so scores,
/// intervals and tests are those of positions: the horizontal error is that of the distance.
public struct DistanceEvaluation: Sendable {
  /// The questions about one unit that a fit leaves out, such as one place.
  public struct Unit: Sendable {
    /// The name of the unit.
    public var name: String
    /// The questions, in order of time.
    public var questions: [DistanceQuestion]

    package init(name: String, questions: [DistanceQuestion]) {
      (self.name, self.questions) = (name, questions)
    }
  }

  /// The questions, unit by unit.
  public let units: [Unit]
  /// The answers of each algorithm.
  public let answers: [DistanceAnswers]
  /// The scores of the answers, and the comparisons over units.
  public let leaderboard: Leaderboard
  /// The figures that only distances have, by the name of the algorithm.
  package let figures: [String: DistanceFigures]

  /// - Parameter answers: The answers of each algorithm, with distinct names.
  package init(units: [Unit], answers: [DistanceAnswers]) {
    (self.units, self.answers) = (units, answers)
    let settings = LeaderboardSettings()
    leaderboard = Leaderboard(
      traces: units.map { unit in
        EvaluatedTrace(name: unit.name, questions: unit.questions.map(Question.init))
      },
      answers: answers.map { one in
        AlgorithmAnswers(name: one.name, outcomes: one.outcomes.map { $0.map(Outcome.init) })
      }, settings: settings)
    figures = Dictionary(
      uniqueKeysWithValues: answers.map {
        ($0.name, DistanceFigures($0, units: units, bootstrap: settings.bootstrap))
      })
  }
}

/// The figures of one algorithm that only distances have.
package struct DistanceFigures: Sendable {
  /// The median of the larger of estimate / truth and truth / estimate; `nil` without answers.
  package var factor: Double?
  /// The number of answers with a 95 % interval.
  package var intervals: Int
  /// The share of 95 % intervals that contain the truth, and its interval over units; `nil` without
  /// intervals.
  package var coverage: (share: Double, interval: IntervalOutcome)?

  init(_ answers: DistanceAnswers, units: [DistanceEvaluation.Unit], bootstrap: TraceBootstrap) {
    var factors: [Double] = []
    var (held, counts): ([Int], [Int]) = ([], [])
    for (unit, outcomes) in zip(units, answers.outcomes) {
      let answered = zip(unit.questions, outcomes).compactMap { question, outcome in
        (try? outcome.get()).map { (truth: question.truth, estimate: $0) }
      }
      factors += answered.map { one in
        let ratio = one.estimate.distance / one.truth
        return max(ratio, 1 / ratio)
      }
      let claims = answered.compactMap { one in
        one.estimate.interval.map { $0.lower <= one.truth && one.truth <= $0.upper }
      }
      held.append(claims.count { $0 })
      counts.append(claims.count)
    }
    factor = SortedSample(factors).quantile(0.5)
    intervals = counts.reduce(0, +)
    if intervals > 0 {
      coverage = (
        Double(held.reduce(0, +)) / Double(intervals),
        bootstrap.shareIntervals([held], of: counts)[0]
      )
    }
  }
}

extension Question {
  fileprivate init(_ question: DistanceQuestion) {
    self.init(
      instant: question.span.upperBound, asked: question.span.upperBound,
      truth: Point(x: question.truth, y: 0), newest: question.span.upperBound, anchors: 1,
      packets: question.packets)
  }
}

extension Outcome {
  fileprivate init(_ result: Result<DistanceEstimate, Refusal>) {
    switch result {
    case .success(let estimate):
      self = .located(
        Estimate(
          position: Point(x: estimate.distance, y: 0), uncertainty: .unavailable(.noErrorModel)))
    case .failure(let refusal): self = .refused(refusal)
    }
  }
}
