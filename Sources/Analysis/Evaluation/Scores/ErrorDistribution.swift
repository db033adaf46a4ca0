import Geometry

/// The distribution function of an algorithm's horizontal errors over all questions, with its band.
///
/// An unanswered question counts as an error beyond every length. The band is pointwise: at each
/// length it holds the true share in 95 % of evaluations, but not at all lengths together. It is
/// the interval of a share over traces, see ``TraceBootstrap/shareIntervals(_:of:)``.
package struct ErrorDistribution: Equatable, Sendable {
  /// A point of the curve.
  package struct Point: Equatable, Sendable {
    /// The length, in metres.
    package var length: Double
    /// The share of all questions with an error of at most the length.
    package var share: Double
    /// The confidence interval of the share over traces.
    package var interval: IntervalOutcome
  }

  /// The points in ascending order of length.
  package var points: [Point]

  /// The number of points, at equal steps of the answered share.
  private static let count = 40
  /// The number of resamples: the band is read from a picture.
  private static let resamples = 2000
}

extension ErrorDistribution {
  /// Returns `nil` if nothing was answered.
  ///
  /// - Parameters:
  ///   - errors: The errors of each trace, in metres.
  ///   - asked: The number of questions of each trace.
  init?(_ errors: [[Double]], asked: [Int], bootstrap: TraceBootstrap) {
    let pooled = SortedSample(errors.joined())
    guard let longest = pooled.values.last else { return nil }
    let steps = (0..<Self.count).compactMap {
      pooled.quantile((Double($0) + 0.5) / Double(Self.count))
    }
    let lengths = Set(steps + [longest]).sorted()
    var drawing = bootstrap
    drawing.resamples = min(bootstrap.resamples, Self.resamples)
    let sorted = errors.map { SortedSample($0) }
    let held = lengths.map { length in sorted.map { $0.count(upTo: length) } }
    let intervals = drawing.shareIntervals(held, of: asked)
    let all = asked.reduce(0, +)
    points = lengths.indices.map { index in
      Point(
        length: lengths[index], share: Double(held[index].reduce(0, +)) / Double(all),
        interval: intervals[index])
    }
  }
}
