public import NumericalMethods
import RealModule

/// The direction of a beacon from its recent levels: nearer, farther or unknown.
///
/// Levels are averaged per second, and a line is fitted through the last fifteen by generalised
/// least squares (Aitken 1936): a second's mean has the noise of its packets, and all of them share
/// slow shadowing and fading. These are modelled as an exponentially correlated process of 3.5 dB
/// and 3 s (Gudmundson, Electronics Letters 27(23), 1991, at walking speed), so that a passing
/// shadow is not taken for a step. If the means scatter more about the line, the interval is
/// widened accordingly, by Student's distribution (Seber and Lee, "Linear regression analysis",
/// 2003, section 3.10). There is a direction only if the slope differs from zero at 95 %
/// confidence.
public struct Trend: Equatable, Sendable {
  /// The rate of change of the level, with the limits of the 95 % interval.
  public struct Slope: Equatable, Sendable {
    /// The rate, in dB per second; positive if the level rises.
    public var rate: Double
    /// The 95 % interval of the rate, in dB per second.
    public var interval: Interval
  }

  /// The direction in which the distance to the beacon changes.
  public enum Direction: Sendable {
    /// The level rises or falls: the beacon is nearer or farther than before.
    case warmer, colder
    /// The direction is unknown: the beacon stands still, or the levels scatter too much.
    case unsure
    /// The beacon has been silent for long.
    case lost
  }

  /// The levels of one second.
  private struct Second: Equatable, Sendable {
    var number: Int64
    var count = 0.0
    /// The sums of times within the second, of levels, and of squared deviations of the levels.
    var timeSum = 0.0
    var mean = 0.0
    var squares = 0.0

    mutating func add(_ time: Double, _ level: Double) {
      count += 1
      timeSum += time
      let deviation = level - mean
      mean += deviation / count
      squares += deviation * (level - mean)
    }
  }

  private var seconds: [Second] = []
  private var newest: Int64?

  /// The number of seconds in the fit.
  static let window: Int64 = 15
  /// The smallest number of seconds with a level.
  static let fewestSeconds = 4
  private static let fewestLevels = 6.0
  /// The variance of the slow part in dB², and its correlation time in seconds.
  private static let shadowing = 12.25
  private static let correlation = 3.0
  /// The prior variance of one packet in dB², with its prior degrees of freedom.
  private static let packetVariance = 16.0
  private static let priorFreedom = 4.0
  private static let deviations = 1.959_963_984_540_054
  /// The smallest backward step in seconds that means that a clock was set.
  private static let clockStep: Int64 = 60
  private static let nanoseconds: Int64 = 1_000_000_000
  /// The silence after which the signal is lost, in nanoseconds.
  public static let lostAfter: Int64 = 5_000_000_000

  /// Creates a trend without levels.
  public init() {}

  /// Adds an unfiltered level in dBm at a time in nanoseconds, in constant memory.
  public mutating func add(_ level: Double, at time: Int64) {
    guard level.isFinite else { return }
    newest = max(newest ?? time, time)
    let number = Self.second(of: time)
    let within = Double(time &- number &* Self.nanoseconds) / 1e9
    if let place = seconds.lastIndex(where: { $0.number == number }) {
      return seconds[place].add(within, level)
    }
    var second = Second(number: number)
    second.add(within, level)
    seconds.append(second)
    seconds.sort { $0.number < $1.number }
    // A clock that was set back leaves seconds in the future, which do not count.
    let isSetBack = number < seconds[seconds.count - 1].number &- Self.clockStep
    let last = isSetBack ? number : seconds[seconds.count - 1].number
    seconds.removeAll { $0.number > last || $0.number <= last &- Self.window }
  }

  /// Returns the slope of the seconds before a time, or `nil` if there are too few levels.
  public func slope(at time: Int64) -> Slope? {
    let end = Self.second(of: time)
    let used = seconds.filter { $0.number < end && $0.number >= end &- Self.window }
    guard used.count >= Self.fewestSeconds,
      used.reduce(0, { $0 + $1.count }) >= Self.fewestLevels
    else { return nil }
    let packetFreedom = used.reduce(Self.priorFreedom) { $0 + $1.count - 1 }
    let packet =
      used.reduce(Self.priorFreedom * Self.packetVariance) { $0 + $1.squares } / packetFreedom
    let times = used.map { Double($0.number &- used[0].number) + $0.timeSum / $0.count }
    let centre = times.reduce(0, +) / Double(times.count)
    var covariance: [Double] = []
    for i in used.indices {
      for j in used.indices {
        let shared = Self.shadowing * Double.exp(-abs(times[i] - times[j]) / Self.correlation)
        covariance.append(shared + (i == j ? packet / used[i].count : 0))
      }
    }
    guard let factor = CholeskyFactor(covariance, size: used.count) else { return nil }
    let levels = used.map(\.mean)
    let x = times.map { $0 - centre }
    let weightedX = factor.solve(x)
    let weightedOne = factor.solve([Double](repeating: 1, count: used.count))
    // The normal equations of a constant and a slope.
    let (a, b, c) = (weightedOne.reduce(0, +), dot(weightedOne, x), dot(weightedX, x))
    let determinant = a * c - b * b
    guard determinant > 0 else { return nil }
    let rate = (a * dot(weightedX, levels) - b * dot(weightedOne, levels)) / determinant
    let mean = (c * dot(weightedOne, levels) - b * dot(weightedX, levels)) / determinant
    let residuals = zip(x, levels).map { $1 - mean - rate * $0 }
    let freedom = Double(used.count - 2)
    let excess = (dot(residuals, factor.solve(residuals)) / freedom).squareRoot()
    let student = StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975)
    let half = max(Self.deviations, student * excess) * (a / determinant).squareRoot()
    guard rate.isFinite, half.isFinite else { return nil }
    return Slope(rate: rate, interval: Interval(lower: rate - half, upper: rate + half))
  }

  /// Returns the direction at a time in nanoseconds.
  public func direction(at time: Int64) -> Direction {
    guard let newest, time &- newest < Self.lostAfter else { return .lost }
    guard let slope = slope(at: time) else { return .unsure }
    if slope.interval.lower > 0 { return .warmer }
    return slope.interval.upper < 0 ? .colder : .unsure
  }

  private static func second(of time: Int64) -> Int64 {
    let second = time / nanoseconds
    return time % nanoseconds < 0 ? second - 1 : second
  }
}

/// The state of the search for one beacon at one instant.
public struct SeekReading: Equatable, Sendable {
  /// The time, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The direction in which the distance changes.
  public var direction: Trend.Direction
  /// The slope of the level; `nil` if there are too few levels.
  public var slope: Trend.Slope?
  /// The beacon at the same instant.
  public var beacon: RangedBeacon

  /// Creates the state at a time in nanoseconds.
  public init(time: Int64, trend: Trend, beacon: RangedBeacon) {
    (self.time, self.beacon) = (time, beacon)
    // A beacon that has left is lost, even if its silence is short.
    direction = beacon.isHeard ? trend.direction(at: time) : .lost
    slope = direction == .lost ? nil : trend.slope(at: time)
  }
}
