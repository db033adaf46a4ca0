import LivePipelines
import NumericalMethods
import Proximity
import Screens
import Support

extension SeekState {
  /// A search as a screen shows it.
  ///
  /// - Parameter history: the levels that it showed before.
  init(_ seek: SeekReading, of beacon: WatchedBeacon, history: [Double]) {
    let isNew = seek.direction != .lost && seek.beacon.silence < 1
    self.init(
      name: beacon.screenName, trend: SeekState.Trend(seek.direction),
      distance: seek.beacon.distance?.distance, interval: seek.beacon.distance?.interval,
      level: seek.beacon.level,
      history: (history + [isNew ? seek.beacon.level : .nan]).suffix(ScreenBeacons.historyLength))
  }

  /// The same in one line.
  var sentence: String {
    var text =
      switch trend {
      case .warmer: "warmer"
      case .colder: "colder"
      case .unsure: "no clear change"
      case .lost: "signal lost"
      }
    if trend != .lost {
      text += ", \(decimal(level, 1)) dBm"
      if let distance { text += ", \(decimal(distance, 1)) m" }
      if let interval {
        text += " (95 % \(decimal(interval.lower, 1)) – \(decimal(interval.upper, 1)) m)"
      }
    }
    return text
  }
}

extension SeekState.Trend {
  fileprivate init(_ direction: Proximity.Trend.Direction) {
    self =
      switch direction {
      case .warmer: .warmer
      case .colder: .colder
      case .unsure: .unsure
      case .lost: .lost
      }
  }
}
