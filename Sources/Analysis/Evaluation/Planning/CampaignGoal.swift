import NumericalMethods
import RealModule

/// The goal of a campaign that compares positioning algorithms, with the assumed variation between
/// its traces; lengths are in metres.
public enum CampaignGoal: Equatable, Sendable {
  /// A significant difference of two algorithms.
  ///
  /// - size: The true difference of the figures of a trace, above 0.
  /// - deviation: The standard deviation of that difference between traces.
  /// - comparisons: The number of comparisons that are adjusted together.
  case difference(size: Double, deviation: Double, comparisons: Int)
  /// A 95 % interval of one algorithm's figure.
  ///
  /// - size: The largest accepted width of the interval.
  /// - error: The figure itself.
  /// - spread: The standard deviation of the logarithm of a trace's figure.
  case width(size: Double, error: Double, spread: Double)
}

/// The size of a campaign: the number of traces, and the results of simulated campaigns of that
/// size.
public struct CampaignPlan: Equatable, Sendable {
  /// The largest practical number of traces.
  public static let most = TracesNeeded.most

  /// The number of traces by the formula; `nil` above the largest practical number.
  public var formula: Int?
  /// The number of traces of the formula, raised until simulated campaigns reach the power; `nil`
  /// if no practical number does.
  public var traces: Int?
  /// The share of simulated campaigns that reach the goal.
  public var power: Double?
  /// The share of simulated campaigns that mislead: a significant difference of equal algorithms,
  /// or an interval that misses the true figure.
  public var size: Double?
}

extension CampaignPlan {
  /// Plans a campaign.
  ///
  /// The formula of a difference is that of Guenther (The American Statistician 35, 1981), at the
  /// first step of Holm's adjustment. That of a width is Student's interval of the logarithm, with
  /// the quantile of the estimated deviation that the power requires. Simulated differences are
  /// Gaussian and tested like those of an evaluation; simulated figures are log-normal. Complexity:
  /// runs × traces × signs drawn.
  ///
  /// - Parameters:
  ///   - power: The required probability of reaching the goal, above 0 and below 1.
  ///   - runs: The number of simulated campaigns per size.
  public init(
    _ goal: CampaignGoal, power required: Double = 0.8, test: SignificanceTest = SignificanceTest(),
    runs: Int = 1000
  ) {
    var test = test
    // Enough for the level of the comparisons, and the same for every campaign.
    test.exactTraces = 10
    if case .difference(_, _, let comparisons) = goal {
      test.draws = max(999, Int(20 * Double(comparisons) / test.level))
    }
    formula = Self.formula(goal, power: required, test: test)
    var count = formula
    while let tried = count {
      let reached = Self.simulated(.reached, goal, traces: tried, test: test, runs: runs)
      if reached >= required {
        (traces, power) = (tried, reached)
        size = Self.simulated(.misled, goal, traces: tried, test: test, runs: runs)
        return
      }
      let next = tried + max(1, tried / 20)
      count = next <= Self.most ? next : nil
    }
  }

  /// Returns the number of traces by the formula, or `nil` above the largest practical number.
  private static func formula(
    _ goal: CampaignGoal, power: Double, test: SignificanceTest
  ) -> Int? {
    switch goal {
    case .difference(let size, let deviation, let comparisons):
      return paired(
        effect: size / deviation, level: test.level / Double(comparisons), power: power
      ).map { max($0, test.fewestTraces(comparisons: comparisons)) }
    case .width(let size, let error, let spread):
      return (TraceBootstrap.fewestTraces...most).first { count in
        let freedom = Double(count - 1)
        let estimated =
          spread
          * (ChiSquaredDistribution(degreesOfFreedom: freedom).quantile(power) / freedom)
          .squareRoot()
        return width(of: error, spread: estimated, traces: count, test) <= size
      }
    }
  }

  /// Returns the number of traces at which a two-sided test of paired differences has a power, or
  /// `nil` above the largest practical number.
  ///
  /// - Parameter effect: The mean of the differences over their standard deviation.
  static func paired(effect: Double, level: Double, power: Double = 0.8) -> Int? {
    guard effect > 0 else { return nil }
    let z = NormalDistribution.quantile(1 - level / 2)
    let ratio = (z + NormalDistribution.quantile(power)) / effect
    let traces = (ratio * ratio + z * z / 2).rounded(.up)
    return traces <= Double(most) ? Int(traces) : nil
  }

  /// Returns the width of Student's interval of a figure whose logarithm varies between traces.
  private static func width(
    of error: Double, spread: Double, traces: Int, _ test: SignificanceTest
  ) -> Double {
    let t = StudentTDistribution(degreesOfFreedom: Double(traces - 1))
      .quantile(1 - test.level / 2)
    let factor = Double.exp(t * spread / Double(traces).squareRoot())
    return error * (factor - 1 / factor)
  }

  /// A result of a simulated campaign.
  private enum Outcome { case reached, misled }

  /// Returns the share of simulated campaigns with an outcome.
  private static func simulated(
    _ outcome: Outcome, _ goal: CampaignGoal, traces: Int, test: SignificanceTest, runs: Int
  ) -> Double {
    var random = RandomStream(Xoshiro256(seed: test.seed))
    let count = (0..<runs).count { _ in
      let values = (0..<traces).map { _ in random.gaussian() }
      switch goal {
      case .difference(let size, let deviation, let comparisons):
        let shift = outcome == .reached ? size / deviation : 0
        return test.signFlips(values.map { $0 + shift }).map {
          $0 <= test.level / Double(comparisons)
        } ?? false
      case .width(let size, let error, let spread):
        let mean = values.reduce(0, +) / Double(traces)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let estimated = spread * (squares / Double(traces - 1)).squareRoot()
        let found = error * Double.exp(spread * mean)
        let length = width(of: found, spread: estimated, traces: traces, test)
        guard outcome == .misled else { return length <= size }
        // The interval is found / f to found f, with a width of found (f - 1 / f).
        let half = length / found / 2
        let factor = half + (1 + half * half).squareRoot()
        return !(found / factor...found * factor).contains(error)
      }
    }
    return Double(count) / Double(runs)
  }
}
