public import NumericalMethods

/// The level at 1 m that readings at other distances promise: a check on the one measured there.
///
/// A bench with a reflection at 1 m, or a distance read wrongly, shows as a difference.
public struct ExtrapolatedPower: Equatable, Sendable {
  /// The level at 1 m, in dBm.
  public var measuredPower: Double
  /// The 95 % interval, dBm; nil of two poses.
  public var interval: Interval?
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// Different distances that were fitted.
  public var distances: Int

  /// Returns the log-distance fit of poses that were not at 1 m, each counting once, or the reason
  /// why there is none.
  ///
  /// - Parameter poses: metres above 0, and mean levels in dBm.
  public static func fit(
    _ poses: [(distance: Double, level: Double)]
  ) -> Result<ExtrapolatedPower, Impossible> {
    let distances = Set(poses.map(\.distance)).count
    guard distances > 1 else {
      return .failure(
        Impossible(reason: "it takes poses at two distances other than 1 m to extrapolate from"))
    }
    let stations = poses.enumerated().map { index, pose in
      Station(
        beacon: "", receiver: "", series: "", position: UInt64(index), distance: pose.distance,
        levels: [LevelCount(level: pose.level, count: 1)])
    }
    let group = PathLossFit().group(key: "1 m", stations)
    guard let power = group.measuredPower, let exponent = group.exponent else {
      return .failure(
        Impossible(reason: group.diagnostics.first?.message ?? "the fit has no solution"))
    }
    return .success(
      ExtrapolatedPower(
        measuredPower: power, interval: group.powerInterval, exponent: exponent,
        distances: distances))
  }

  /// The reason why nothing can be extrapolated.
  public struct Impossible: Error, Equatable {
    /// The reason, as a clause without a full stop.
    public var reason: String
  }
}
