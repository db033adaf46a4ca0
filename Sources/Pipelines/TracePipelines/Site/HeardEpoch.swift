import Evaluation
package import Geometry
package import Positioning
import Support

/// An instant at which a moving node's position is asked, and what its anchors were heard at.
package struct HeardEpoch: Equatable {
  /// Nanoseconds since the Unix epoch.
  package var instant: Int64
  /// The window's start, not included.
  package var start: Int64
  /// One for each anchor heard in the window; `time` is that of its latest sighting.
  package var levels: [Reading]
  /// Raw levels since the epoch before, in short bins; empty for stops.
  package var readings: [Reading]

  package init(instant: Int64, start: Int64, levels: [Reading], readings: [Reading] = []) {
    self.instant = instant
    self.start = start
    self.levels = levels
    self.readings = readings
  }

  /// The question as an algorithm gets it.
  ///
  /// - Parameter asked: the time of the position; nil = the instant.
  func scan(asked: Int64? = nil, anchors: [Anchor]) -> Scan {
    Scan(
      instant: instant, asked: asked, start: start,
      observations: levels.map {
        Observation(anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi, packets: $0.packets)
      }, readings: readings)
  }
}

/// An epoch with the true position.
package struct AskedEpoch {
  package var heard: HeardEpoch
  /// The time of the position, not later than the instant.
  package var asked: Int64
  package var truth: Point
  /// Metres above the site's zero of heights; nil where the truth has none.
  package var height: Double?
  /// Nil where visits were joined.
  package var velocity: Velocity?

  package init(
    _ heard: HeardEpoch, asked: Int64? = nil, truth: Point, height: Double? = nil,
    velocity: Velocity? = nil
  ) {
    self.heard = heard
    self.asked = asked ?? heard.instant
    self.truth = truth
    self.height = height
    self.velocity = velocity
  }
}

extension [AskedEpoch] {
  /// The visits of each place as one: their levels become the mean, weighted by the sightings.
  var joinedByPlace: [AskedEpoch] {
    var places: [Point: Int] = [:]
    var joined: [AskedEpoch] = []
    for visit in self {
      guard let place = places[visit.truth] else {
        places[visit.truth] = joined.count
        var first = visit
        first.velocity = nil
        joined.append(first)
        continue
      }
      for level in visit.heard.levels { joined[place].heard.add(level) }
    }
    return joined
  }
}

extension HeardEpoch {
  fileprivate mutating func add(_ level: Reading) {
    guard let index = levels.firstIndex(where: { $0.anchor == level.anchor }) else {
      levels.append(level)
      return
    }
    var known = levels[index]
    known.packets += level.packets
    known.rssi += (level.rssi - known.rssi) * Double(level.packets) / Double(known.packets)
    known.time = Swift.max(known.time, level.time)
    levels[index] = known
  }
}

/// When positions are asked.
public enum EpochPlan: Equatable, Sendable {
  /// Nanoseconds between instants, and of the time from which each takes its levels.
  case periodic(step: Int64, window: Int64)
  /// Once for each stop of the moving node.
  case stays
  /// Once for each place, over all its visits in a trace.
  case places

  /// A Boolean value that is true if each epoch is a stop, or all visits of a place.
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
