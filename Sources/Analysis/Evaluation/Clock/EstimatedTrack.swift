public import Geometry
import Positioning

/// The estimates of one target in one trace, and where it really was by another clock.
public struct EstimatedTrack: Equatable, Sendable {
  /// An estimate and the time that it is about, in nanoseconds.
  public struct Place: Equatable, Sendable {
    public var time: Int64
    public var position: Point

    public init(time: Int64, position: Point) {
      self.time = time
      self.position = position
    }
  }

  public var estimates: [Place]
  public var truth: TruthPath

  public init(estimates: [Place], truth: TruthPath) {
    self.estimates = estimates
    self.truth = truth
  }
}
