package import NumericalMethods

/// How far a beacon is, with the limits of the 95 % interval.
package struct DistanceEstimate: Equatable, Sendable {
  /// Metres.
  package var distance: Double
  /// Metres; nil where there is no limit that the levels could set.
  package var interval: Interval?

  package init(distance: Double, interval: Interval?) {
    (self.distance, self.interval) = (distance, interval)
  }
}
