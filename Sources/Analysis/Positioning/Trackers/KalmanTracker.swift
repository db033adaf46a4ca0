import Support

/// A Kalman filter on place and velocity, with each anchor's shadowing in its state (`kalman`).
///
/// Levels update the place directly, at their actual times. Beyond 64 anchors at once, the
/// shadowings of the others are not estimated, and a level costs time in proportion to the anchors.
/// For a question about an earlier time, the state also has the place at that time (fixed-lag
/// smoothing).
/// The track is initialised from weighted places over the whole area. It restarts if half of the
/// recent levels are more than three standard deviations off, after 30 s without levels, and while
/// the place remains undetermined. Walls are ignored.
///
/// Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and navigation", 2001.
public struct KalmanTracker: PedestrianTracker {
  static let kind = AlgorithmKind(
    "kalman", "a Kalman filter on place and velocity",
    [.speed, .map, .offset, .lag]
  ) {
    KalmanTracker(
      speed: $0.number("speed"), usesMap: $0.flag("map"), offset: $0.optional("offset"),
      lag: $0.optionalDuration("lag") ?? .zero)
  }

  public var name: String { Self.kind.name }
  /// The root mean square speed of the target, in metres per second.
  public var speed: Double
  /// A Boolean value that is true if expected levels are those of ``Surroundings/radioMap``.
  public var usesMap: Bool
  /// The standard deviation of the error common to all levels, in dB; `nil` takes that of the radio
  /// map, and 3 dB without one.
  public var offset: Double?
  /// The time that answers wait for later sightings.
  public var lag: Duration

  /// The largest number of anchors whose shadowings are estimated; see ``KalmanState``.
  var mostShadowings = KalmanState.usualShadowings

  /// Creates the algorithm; the speed is in m/s, the offset in dB, and the lag is the delay of the answers.
  public init(speed: Double, usesMap: Bool, offset: Double? = nil, lag: Duration = .zero) {
    self.speed = speed
    self.usesMap = usesMap
    self.offset = offset
    self.lag = lag
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    answers(to: scans, in: surroundings)
  }

  public func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? {
    following(in: surroundings)
  }

  func track(
    _ trace: TrackedTrace, links: MeasurementModel, area: WalkableArea, isLive: Bool
  ) -> KalmanTrack {
    KalmanTrack(
      trace, links: links, area: area, motion: Pedestrian(speed: speed), offset: offset,
      isDelayed: lag > .zero, mostShadowings: mostShadowings)
  }
}
