import Geometry
import Positioning

/// The lag-1 correlation of errors, and the resulting effective sample size.
///
/// Let h be the distance from the truth and h̄ its mean over all answers. Then
///
///     ρ = mean of (h − h̄)(h′ − h̄) over successive answers / mean of (h − h̄)²
///
/// where h′ is the next question's in the same recording, and both were answered. For a first-order
/// autoregression, the mean of n errors varies as that of n (1 − ρ) / (1 + ρ) independent ones.
/// Source: Bayley and Hammersley, "The effective number of independent observations in an
/// autocorrelated time series", 1946.
public struct ErrorDependence: Equatable, Sendable {
  /// The lag-1 correlation ρ of errors, from -1 to 1.
  public var lagOne: Double
  /// The number of pairs of successive answers.
  public var pairs: Int
  /// The effective sample size of all answers, from one to their number.
  public var effectiveAnswers: Double

  /// The smallest number of pairs for a correlation.
  static let fewestPairs = 10

  /// Returns `nil` with too few successive answers, or if all errors are equal.
  init?(_ answers: AlgorithmAnswers, traces: [EvaluatedTrace]) {
    var errors: [(recording: Int, instant: Int64, error: Double?)] = []
    for (index, (trace, said)) in zip(traces, answers.errors(traces)).enumerated() {
      for (question, error) in zip(trace.questions, said) {
        // Questions without a recording belong to the trace itself.
        errors.append((question.recording ?? -1 - index, question.instant, error))
      }
    }
    errors.sort { ($0.recording, $0.instant) < ($1.recording, $1.instant) }
    let known = errors.compactMap(\.error)
    let mean = known.reduce(0, +) / Double(known.count)
    let variance = known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(known.count)
    var products = 0.0
    pairs = 0
    for (one, next) in zip(errors, errors.dropFirst()) where one.recording == next.recording {
      guard let first = one.error, let second = next.error else { continue }
      products += (first - mean) * (second - mean)
      pairs += 1
    }
    guard pairs >= Self.fewestPairs, variance > 0, variance.isFinite else { return nil }
    lagOne = max(-1, min(1, products / Double(pairs) / variance))
    let share = (1 - lagOne) / (1 + lagOne)
    effectiveAnswers = max(1, min(1, share) * Double(known.count))
  }
}
