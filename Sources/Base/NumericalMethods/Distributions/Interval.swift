import Glibc

/// The range between two limits, such as a 95 % confidence interval; `[lower, upper]` in JSON.
public struct Interval: Codable, Equatable, Sendable {
  /// The lower limit.
  public var lower: Double
  /// The upper limit.
  public var upper: Double

  /// Creates an interval between two limits.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// A Boolean value that is true if both limits are finite.
  package var isFinite: Bool { lower.isFinite && upper.isFinite }

  /// Returns a Boolean value that is true if a value is within the limits, inclusive.
  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }

  /// Decodes an array of two numbers.
  ///
  /// - Throws: `DecodingError` for an array of any other length.
  public init(from decoder: any Decoder) throws {
    let limits = try [Double](from: decoder)
    guard limits.count == 2 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "an interval must be two numbers, [lower, upper]"))
    }
    (lower, upper) = (limits[0], limits[1])
  }

  public func encode(to encoder: any Encoder) throws {
    try [lower, upper].encode(to: encoder)
  }
}

extension Interval: CustomStringConvertible {
  /// The limits, such as `1.44 to 3.06`, with three significant digits of the width.
  public var description: String {
    let width = upper - lower
    guard width.isFinite, width > 0 else { return "\(lower) to \(upper)" }
    let digits = max(0, 2 - Int(log10(width).rounded(.down)))
    let scale = pow(10, Double(min(digits, 15)))
    return "\((lower * scale).rounded() / scale) to \((upper * scale).rounded() / scale)"
  }
}

/// Returns the exact confidence interval of a probability from independent trials.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case
/// of the binomial", Biometrika 26 (1934).
///
/// - Parameters:
///   - successes: The number of successes, from 0 to `trials`.
///   - trials: The number of trials, at least 1.
///   - confidence: The confidence, between 0 and 1.
package func clopperPearsonInterval(
  successes: Int, trials: Int, confidence: Double
) -> Interval {
  precondition(
    trials > 0 && (0...trials).contains(successes),
    "expected successes from 0 to the number of trials")
  let tail = (1 - confidence) / 2
  let (k, n) = (Double(successes), Double(trials))
  // The tails of the binomial distribution are those of beta distributions.
  return Interval(
    lower: successes == 0 ? 0 : BetaDistribution(a: k, b: n - k + 1).quantile(tail),
    upper: successes == trials ? 1 : BetaDistribution(a: k + 1, b: n - k).quantile(1 - tail))
}
