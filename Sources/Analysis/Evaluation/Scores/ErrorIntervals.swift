/// Confidence intervals over traces of the figures of an algorithm's horizontal error, in metres.
public struct ErrorIntervals: Equatable, Sendable {
  public var mean: IntervalOutcome
  public var median: IntervalOutcome
  public var p75: IntervalOutcome
  public var p95: IntervalOutcome

  /// The interval of a figure.
  public func of(_ figure: ErrorFigure) -> IntervalOutcome {
    switch figure {
    case .mean: mean
    case .median: median
    case .p75: p75
    case .p95: p95
    }
  }
}

extension ErrorIntervals {
  /// - Parameters:
  ///   - errors: the horizontal errors of each trace.
  init(_ errors: [[Double]], bootstrap: TraceBootstrap) {
    let drawn = bootstrap.meanAndQuantileIntervals([0.5, 0.75, 0.95], traces: errors)
    mean = drawn.mean
    (median, p75, p95) = (drawn.quantiles[0], drawn.quantiles[1], drawn.quantiles[2])
  }
}
