import Support

/// A fixed-lag smoother: the level at time t given all sightings up to t + lag, as
/// `RauchTungStriebelSmoother` would return if the link ended there.
///
/// A sighting exactly the lag later is still used, so a level is final once time has passed that.
/// O(sightings within the lag) per sighting.
public struct FixedLagSmoother: LevelSmoother {
  /// The lag, in nanoseconds.
  public let lag: Int64
  private var history: WalkHistory

  /// Creates the smoother.
  ///
  /// - Parameters:
  ///   - q: process noise, dB² per second, at least 0.
  ///   - r: measurement noise, dB², above 0.
  ///   - lag: the delay of the smoothed levels, at least 0.
  public init(q: Double, r: Double, lag: Duration) {
    self.lag = lag.nanoseconds
    history = WalkHistory(Noise(q: q, r: r))
  }

  public var delay: Int64? { lag }

  public var logLikelihood: Double { history.logLikelihood }

  public mutating func update(
    time: Int64, rssi: Double, channel: UInt8 = 255, into levels: inout [FilteredLevel]
  ) {
    // Before the new level is processed, because it is too late for these.
    advance(to: time, into: &levels)
    history.append(time: time, rssi: rssi)
  }

  public mutating func advance(to time: Int64, into levels: inout [FilteredLevel]) {
    history.release(history.count(before: time, by: lag), into: &levels)
  }

  public mutating func finish(into levels: inout [FilteredLevel]) {
    history.release(history.count, into: &levels)
  }
}

extension FilterKind {
  static let fixedLag = smoothing(
    "fixed-lag", "kalman with later sightings up to a lag",
    noise: .randomWalk,
    Parameter.noise + [.time("lag", default: "2s", "time span of later sightings")]
  ) { values, noise in
    FixedLagSmoother(q: noise.q, r: noise.r, lag: values.duration("lag"))
  }
}
