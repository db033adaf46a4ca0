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

  /// - Parameter exponent: of `fixedExponent`.
  public init(_ kind: ModelName, exponent: Double) {
    switch kind {
    case .logDistance: self = .logDistance
    case .fixedExponent: self = .fixedExponent(exponent)
    case .twoSlope: self = .twoSlope
    case .walls: self = .walls
    case .altBeacon: self = .altBeacon
    case .hierarchical: self = .hierarchical
    }
  }

  public var kind: ModelName {
    switch self {
    case .logDistance: .logDistance
    case .fixedExponent: .fixedExponent
    case .twoSlope: .twoSlope
    case .walls: .walls
    case .altBeacon: .altBeacon
    case .hierarchical: .hierarchical
    }
  }

  public var name: String { kind.rawValue }
}

/// A model without its constants, as requests and calibrations name it.
public enum ModelName: String, CaseIterable, Sendable {
  case logDistance = "log-distance"
  case fixedExponent = "fixed-exponent"
  case twoSlope = "two-slope"
  case walls
  case altBeacon = "altbeacon"
  case hierarchical
}
