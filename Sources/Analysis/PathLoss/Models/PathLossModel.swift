/// A model of the decrease of levels with distance.
public enum PathLossModel: Equatable, Sendable {
  /// `rssi = P − 10 n log10(d)`.
  case logDistance
  /// The same with a known exponent: only the measured power is fitted.
  case fixedExponent(Double)
  /// One exponent up to a breakpoint and another beyond it, continuous.
  case twoSlope
  /// Log-distance, less a loss per wall of each kind between the two ends (Keenan and Motley 1990).
  case walls
  /// The curve of the AltBeacon library for Android.
  case altBeacon
  /// Log-distance with one exponent, and random offsets of beacons, receivers and positions.
  case hierarchical

  /// Creates the model of a kind.
  ///
  /// - Parameter exponent: The exponent of `fixedExponent`.
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

  /// The model without its constants.
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

  /// The name of the model in requests and files, such as `log-distance`.
  public var name: String { kind.rawValue }
}

/// A model without its constants, as requests and calibrations name it.
public enum ModelName: String, CaseIterable, Sendable {
  /// The log-distance model.
  case logDistance = "log-distance"
  /// The log-distance model with a known exponent.
  case fixedExponent = "fixed-exponent"
  /// The log-distance model with two exponents.
  case twoSlope = "two-slope"
  /// The log-distance model with a loss per wall.
  case walls
  /// The curve of the AltBeacon library.
  case altBeacon = "altbeacon"
  /// The log-distance model with random offsets of beacons, receivers and positions.
  case hierarchical
}
