package import NumericalMethods

/// How the search for one beacon goes.
package struct SeekState: Equatable, Sendable {
  package enum Trend: Equatable, Sendable {
    case warmer, colder
    /// The levels show neither, which does not show that nothing changes.
    case unsure
    /// Nothing was heard for long.
    case lost
  }

  package var name: BeaconName
  package var trend: Trend
  /// Metres, with the bounds of its 95 % interval; nil where it is not known.
  package var distance: Double?
  package var interval: Interval?
  /// The filtered level in dBm; NaN where there is none.
  package var level: Double
  /// Levels in dBm, the newest last; NaN where nothing was heard.
  package var history: [Double]

  package init(
    name: BeaconName, trend: Trend, distance: Double?, interval: Interval?, level: Double,
    history: [Double]
  ) {
    (self.name, self.trend, self.distance) = (name, trend, distance)
    (self.interval, self.level, self.history) = (interval, level, history)
  }
}

extension SeekState.Trend {
  var words: String {
    switch self {
    case .warmer: "WARMER"
    case .colder: "COLDER"
    case .unsure: "UNSURE"
    case .lost: "SIGNAL LOST"
    }
  }

  var style: ScreenStyle {
    switch self {
    case .warmer: .warm
    case .colder: .cold
    case .unsure: .strong
    case .lost: .alarm
    }
  }
}
