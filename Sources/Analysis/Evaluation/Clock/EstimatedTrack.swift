package import Geometry
import Positioning

/// The estimates of one target in one trace, and where it really was by another clock.
package struct EstimatedTrack: Equatable, Sendable {
  /// An estimate and the time that it is about, in nanoseconds.
  package struct Place: Equatable, Sendable {
    package var time: Int64
    package var position: Point

    package init(time: Int64, position: Point) {
      self.time = time
      self.position = position
    }
  }

  package var estimates: [Place]
  package var truth: TruthPath

  package init(estimates: [Place], truth: TruthPath) {
    self.estimates = estimates
    self.truth = truth
  }
}
