public import NumericalMethods

/// How far a beacon is, with the limits of the 95 % interval.
public struct DistanceEstimate: Equatable, Sendable {
  /// Metres.
  public var distance: Double
  /// Metres; nil where there is no limit that the levels could set.
  public var interval: Interval?

  public init(distance: Double, interval: Interval?) {
    (self.distance, self.interval) = (distance, interval)
  }
}
