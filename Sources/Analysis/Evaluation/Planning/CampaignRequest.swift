import NumericalMethods
import RealModule
public import Support

/// A goal as written, such as `difference:of=0.2` or `width:of=0.5,error=1.5,spread=0.3`, whose
/// missing assumptions come from a pilot evaluation.
public struct CampaignRequest: Sendable {
  private let kind: CampaignKind
  private let values: ParameterValues

  /// - Throws: `RSSIError` for an unknown goal, parameter or value.
  public init(_ text: String) throws(RSSIError) {
    (kind, values) = try Specification(text).resolved(among: CampaignKind.all, as: "goal")
  }

  /// The required power.
  public var power: Double { values.number("power") }
  /// A Boolean value that is true if the assumptions are given, so that no pilot is needed.
  public var isComplete: Bool {
    switch kind {
    case .difference: values.optional("sd") != nil
    case .width: values.optional("spread") != nil && values.optional("error") != nil
    }
  }

  /// A plan with its assumptions.
  public struct Row: Equatable, Sendable {
    /// The algorithms that the assumptions come from; empty for given ones.
    public var algorithms: [String]
    /// The number of traces of the pilot; `nil` for given assumptions.
    public var pilotTraces: Int?
    /// The goal with its assumptions.
    public var goal: CampaignGoal
    /// The plan.
    public var plan: CampaignPlan
    /// The number of traces if the deviation is at the upper end of its one-sided 80 % interval;
    /// `nil` for given assumptions, and above the largest practical number.
    public var cautious: Int?
  }

  /// Returns the plan for given assumptions.
  ///
  /// - Throws: `RSSIError` if one is missing.
  public func rows() throws(RSSIError) -> [Row] {
    guard isComplete else { throw missing }
    let goal: CampaignGoal =
      switch kind {
      case .difference:
        .difference(
          size: values.number("of"), deviation: values.number("sd"),
          comparisons: values.optional("comparisons").map { Int($0) } ?? 1)
      case .width:
        .width(
          size: values.number("of"), error: values.number("error"),
          spread: values.number("spread"))
      }
    return [Row(algorithms: [], goal: goal, plan: CampaignPlan(goal, power: power))]
  }

  /// Returns a plan per rival of the pilot's first algorithm, or for a width per algorithm.
  ///
  /// - Parameter runs: The number of simulated campaigns per size.
  /// - Throws: `RSSIError` for a pilot with fewer than three traces.
  public func rows(from pilot: EarlierEvaluation, runs: Int = 1000) throws(RSSIError) -> [Row] {
    if isComplete { return try rows() }
    let size = values.number("of")
    let known = pilot.algorithms.filter { $0.errorsOfTraces.count >= Self.fewestTraces }
    guard let first = known.first, kind == .width || known.count > 1 else {
      throw RSSIError(
        .badInput,
        "\(pilot.name): too few traces or algorithms for a pilot (at least \(Self.fewestTraces) "
          + "traces\(kind == .width ? "" : " of 2 algorithms"))",
        advice: "give the assumptions: \(kind.assumptions)")
    }
    switch kind {
    case .difference:
      let comparisons = values.optional("comparisons").map { Int($0) } ?? known.count - 1
      return known.dropFirst().compactMap { other in
        let pairs = first.errorsOfTraces.keys.sorted().compactMap { name in
          other.errorsOfTraces[name].map { $0 - (first.errorsOfTraces[name] ?? 0) }
        }
        return row([first.name, other.name], pairs, runs: runs) {
          .difference(size: size, deviation: $0, comparisons: comparisons)
        }
      }
    case .width:
      return known.compactMap { one in
        guard let error = values.optional("error") ?? one.error else { return nil }
        let figures = one.errorsOfTraces.sorted { $0.key < $1.key }.map(\.value)
        guard figures.allSatisfy({ $0 > 0 }) else { return nil }
        return row([one.name], figures.map { Double.log($0) }, runs: runs) {
          .width(size: size, error: error, spread: $0)
        }
      }
    }
  }

  private static let fewestTraces = 3

  /// Returns the plan for the deviation of values, or `nil` if it is 0 or there are too few.
  private func row(
    _ algorithms: [String], _ values: [Double], runs: Int, _ goal: (Double) -> CampaignGoal
  ) -> Row? {
    guard values.count >= Self.fewestTraces else { return nil }
    let freedom = Double(values.count - 1)
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / freedom).squareRoot()
    // Differences that are equal but for rounding need no plan.
    guard deviation > 1e-9 else { return nil }
    let upper =
      (squares / ChiSquaredDistribution(degreesOfFreedom: freedom).quantile(0.2)).squareRoot()
    return Row(
      algorithms: algorithms, pilotTraces: values.count, goal: goal(deviation),
      plan: CampaignPlan(goal(deviation), power: power, runs: runs),
      cautious: CampaignPlan(goal(upper), power: power, runs: runs).traces)
  }

  private var missing: RSSIError {
    RSSIError(
      .usage, "the goal \(kind.name) needs a pilot evaluation, or \(kind.assumptions)",
      advice: "name an earlier evaluation (.json) or recordings, or give the assumptions")
  }
}

/// The kinds of goals.
public enum CampaignKind: String, SpecifiedKind {
  case difference, width

  package static let all: [CampaignKind] = [.difference, .width]

  package var name: String { rawValue }

  package var summary: String {
    switch self {
    case .difference: "a significant difference of two algorithms"
    case .width: "an interval of the median error of at most this width"
    }
  }

  /// The parameters that a pilot replaces.
  fileprivate var assumptions: String { self == .difference ? "sd" : "error and spread" }

  package var parameters: [Parameter] {
    let lengths = 1e-4...1e4
    let power = Parameter.number("power", in: 0.5...0.99, default: "0.8", "probability of success")
    switch self {
    case .difference:
      return [
        .number("of", in: lengths, unit: "m", example: "0.2", "the difference of the errors"),
        .number(
          "sd", in: lengths, unit: "m", "standard deviation of the difference between traces"),
        .number("comparisons", in: 1...1000, "number of comparisons that are adjusted together"),
        power,
      ]
    case .width:
      return [
        .number("of", in: lengths, unit: "m", example: "0.5", "the width of the interval"),
        .number("error", in: lengths, unit: "m", "the error itself"),
        .number(
          "spread", in: 1e-4...10, "standard deviation of the natural logarithm of a trace's error"),
        power,
      ]
    }
  }
}

extension EarlierEvaluation {
  /// Creates the pilot that an evaluation of recordings is.
  package init(_ document: EvaluationDocument) {
    let board = document.leaderboard
    self.init(
      name: document.title,
      algorithms: board.scores.map { score in
        Algorithm(
          name: score.name, error: score.statistics.errors.map(board.figure.of),
          errorsOfTraces: Dictionary(
            score.traces.compactMap { trace in
              trace.statistics.errors.map { (trace.name, board.figure.of($0)) }
            }
          ) { first, _ in first })
      }, questions: [], knowledge: [])
  }
}
