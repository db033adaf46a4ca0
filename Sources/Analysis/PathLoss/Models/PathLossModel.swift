/// How levels fall with distance.
public enum PathLossModel: Equatable, Sendable {
  /// `rssi = P − 10 n log10(d)`.
  case logDistance
  /// The same with an exponent that is known: only the measured power is fitted.
  case fixedExponent(Double)
  /// One exponent up to a breakpoint, another beyond it, without a step between.
  case twoSlope
  /// Log-distance, less a loss for each wall of each kind between the two ends (Keenan and Motley
  /// 1990).
  case walls
  /// The curve of the AltBeacon library for Android.
  case altBeacon
  /// Log-distance with one exponent, and random offsets of beacons, receivers and positions.
  case hierarchical

  static let names = [
    "log-distance", "fixed-exponent", "two-slope", "walls", "altbeacon", "hierarchical",
  ]

  public var name: String {
    switch self {
    case .logDistance: "log-distance"
    case .fixedExponent: "fixed-exponent"
    case .twoSlope: "two-slope"
    case .walls: "walls"
    case .altBeacon: "altbeacon"
    case .hierarchical: "hierarchical"
    }
  }
}
