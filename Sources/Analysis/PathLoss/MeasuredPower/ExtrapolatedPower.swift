public import NumericalMethods

/// The level at 1 m extrapolated from readings at other distances, as a check on the measured one.
///
/// A bench with a reflection at 1 m, or a misread distance, shows as a difference.
public struct ExtrapolatedPower: Equatable, Sendable {
  /// The level at 1 m, in dBm.
  public var measuredPower: Double
  /// The 95 % interval, in dBm; `nil` for two poses.
  public var interval: Interval?
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// The number of different distances.
  public var distances: Int

  /// Returns the log-distance fit of poses that were not at 1 m, each with the same weight, or the
  /// reason why there is none.
  ///
  /// - Parameter poses: The distances in metres, above 0, and the mean levels in dBm.
  public static func fit(
    _ poses: [(distance: Double, level: Double)]
  ) -> Result<ExtrapolatedPower, Impossible> {
    let distances = Set(poses.map(\.distance)).count
    guard distances > 1 else {
      return .failure(
        Impossible(reason: "poses at two distances other than 1 m are required"))
    }
    // Series of their own, because poses at one distance do not share a place.
    let stations = poses.enumerated().map { index, pose in
      Station(
        beacon: "", receiver: "", series: "\(index)", position: UInt64(index),
        distance: pose.distance,
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

  /// The reason why extrapolation is impossible.
  public struct Impossible: Error, Equatable {
    /// The reason, as a clause without a full stop.
    public var reason: String
  }
}
