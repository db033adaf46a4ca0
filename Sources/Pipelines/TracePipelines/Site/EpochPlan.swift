import Support

/// When positions are asked.
public enum EpochPlan: Equatable, Sendable {
  /// Nanoseconds between instants, and of the time from which each takes its levels.
  case periodic(step: Int64, window: Int64)
  /// Once for each stop of the moving node.
  case stays
  /// Once for each place, over all its visits in a trace.
  case places

  /// Whether each epoch is a stop, or all visits of a place.
  public var areStops: Bool {
    switch self {
    case .periodic: false
    case .stays, .places: true
    }
  }

  /// How reports write it.
  public var description: (epoch: String, window: String?) {
    switch self {
    case .periodic(let step, let window):
      (written(duration: step), window == step ? nil : written(duration: window))
    case .stays: ("stay", nil)
    case .places: ("place", nil)
    }
  }
}
