import Support

/// A Rauch–Tung–Striebel smoother: the level at each sighting given all earlier and later ones,
/// from a forward Kalman filter of a random walk and a backward pass.
///
/// It returns nothing before the end of the link and keeps 24 bytes per sighting. O(1) per
/// sighting.
///
/// ```swift
/// var smoother = RauchTungStriebelSmoother(q: 0.5, r: 9)
/// var levels: [FilteredLevel] = []
/// smoother.update(time: 1_000_000_000, rssi: -61, into: &levels)
/// smoother.finish(into: &levels)
/// print(levels[0].rssi)
/// ```
public struct RauchTungStriebelSmoother: LevelSmoother {
  private var history: WalkHistory

  /// Creates the smoother.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The measurement noise in dB², above 0.
  public init(q: Double, r: Double) { history = WalkHistory(Noise(q: q, r: r)) }

  public var delay: Int64? { nil }

  public var logLikelihood: Double { history.logLikelihood }

  public mutating func update(
    time: Int64, rssi: Double, channel: UInt8 = 255, into levels: inout [FilteredLevel]
  ) {
    history.append(time: time, rssi: rssi)
  }

  public mutating func advance(to time: Int64, into levels: inout [FilteredLevel]) {}

  public mutating func finish(into levels: inout [FilteredLevel]) {
    history.release(history.count, into: &levels)
  }
}

extension FilterKind {
  static let rts = smoothing(
    "rts", "kalman with all earlier and later sightings of a link",
    noise: .randomWalk, Parameter.noise
  ) { _, noise in RauchTungStriebelSmoother(q: noise.q, r: noise.r) }
}
