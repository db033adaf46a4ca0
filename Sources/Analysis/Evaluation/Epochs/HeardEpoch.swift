package import Geometry
package import Positioning

/// An instant at which a node's position is asked, with the levels of its anchors up to it.
package struct HeardEpoch: Equatable, Sendable {
  /// The instant, in nanoseconds since the Unix epoch.
  package var instant: Int64
  /// The start of the window, exclusive.
  package var start: Int64
  /// One level per anchor received in the window; `time` is that of its latest sighting.
  package var levels: [Reading]
  /// The raw levels since the previous epoch, in short bins; empty for stops.
  package var readings: [Reading]
  /// The same levels by channel; `nil` if channels are not kept.
  private var byChannel: (window: HeardLevels, bins: [HeardLevels])?

  package init(instant: Int64, start: Int64, levels: [Reading], readings: [Reading] = []) {
    self.instant = instant
    self.start = start
    self.levels = levels
    self.readings = readings
  }

  /// - Parameter keepsChannels: A Boolean value that is true if channel offsets may be removed
  ///   later.
  init(
    instant: Int64, start: Int64, window: HeardLevels, bins: [HeardLevels], keepsChannels: Bool
  ) {
    self.init(instant: instant, start: start, levels: [])
    byChannel = (window, bins)
    receive { _, _ in 0 }
    if !keepsChannels { byChannel = nil }
  }

  /// Returns the epoch with its channel offsets removed.
  ///
  /// - Parameter offset: Returns the offset in dB of an anchor's levels on a channel.
  package func removing(_ offset: (_ anchor: Int, _ channel: UInt8) -> Double) -> HeardEpoch {
    var epoch = self
    epoch.receive(offset)
    return epoch
  }

  private mutating func receive(_ offset: (Int, UInt8) -> Double) {
    guard let byChannel else { return }
    levels = byChannel.window.readings(without: offset)
    readings = byChannel.bins.flatMap { bin in
      bin.readings(without: offset).sorted { ($0.time, $0.anchor) < ($1.time, $1.anchor) }
    }
  }

  /// Adds the levels of another visit of the place; the mean is weighted by the number of
  /// sightings.
  package mutating func add(_ visit: HeardEpoch) {
    for level in visit.levels {
      if let known = levels.firstIndex(where: { $0.anchor == level.anchor }) {
        levels[known].add(level)
      } else {
        levels.append(level)
      }
    }
    if let own = byChannel, let other = visit.byChannel {
      byChannel = (own.window.adding(other.window), own.bins)
    }
  }

  /// Returns the question in the form that algorithms take.
  ///
  /// - Parameter asked: The time of the position; `nil` for the instant.
  package func scan(asked: Int64? = nil, anchors: [Anchor]) -> Scan {
    Scan(
      instant: instant, asked: asked, start: start,
      observations: levels.map {
        Observation(anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi, packets: $0.packets)
      }, readings: readings)
  }

  package static func == (a: HeardEpoch, b: HeardEpoch) -> Bool {
    (a.instant, a.start) == (b.instant, b.start) && a.levels == b.levels
      && a.readings == b.readings
  }
}

/// An epoch with the true position.
package struct AskedEpoch: Sendable {
  package var heard: HeardEpoch
  /// The time of the position, not later than the instant.
  package var asked: Int64
  package var truth: Point
  /// The height in metres above the site's zero of heights; `nil` if the truth has none.
  package var height: Double?
  /// The index of the floor in a building; `nil` if there is one plane.
  package var floor: Int?
  /// The velocity; `nil` if visits were combined.
  package var velocity: Velocity?
  /// The stretch over which the levels were averaged; `nil` for a node at rest and for filtered
  /// levels.
  package var stretch: Stretch?

  package init(
    _ heard: HeardEpoch, asked: Int64? = nil, truth: Point, height: Double? = nil,
    floor: Int? = nil, velocity: Velocity? = nil, stretch: Stretch? = nil
  ) {
    self.heard = heard
    self.asked = asked ?? heard.instant
    self.truth = truth
    self.height = height
    self.floor = floor
    self.velocity = velocity
    self.stretch = stretch
  }
}

/// A place on a floor.
private struct FloorPlace: Hashable {
  var place: Point
  var floor: Int?
}

extension [AskedEpoch] {
  /// The epochs with the visits of each place combined.
  package var joinedByPlace: [AskedEpoch] {
    var places: [FloorPlace: Int] = [:]
    var joined: [AskedEpoch] = []
    for visit in self {
      let here = FloorPlace(place: visit.truth, floor: visit.floor)
      if let place = places[here] {
        joined[place].heard.add(visit.heard)
      } else {
        places[here] = joined.count
        joined.append(visit)
        joined[joined.count - 1].velocity = nil
      }
    }
    return joined
  }
}

/// The levels within a time, one per anchor and channel, in the order of anchors.
struct HeardLevels: Sendable {
  private struct Level {
    /// The anchor and the channel in one number, which is the sort key.
    let key: Int
    var reading: Reading

    static func key(_ anchor: Int, _ channel: UInt8) -> Int { anchor << 8 | Int(channel) }
    var channel: UInt8 { UInt8(truncatingIfNeeded: key) }
  }

  private var levels: [Level] = []

  /// Adds a sighting; they may come in any order.
  mutating func add(
    time: Int64, anchor: Int, channel: UInt8, rssi: Double, rule: EpochBuilder.LevelRule
  ) {
    let index = index(anchor, channel)
    var level = levels[index].reading
    level.packets += 1
    let isLatest = time >= level.time
    if isLatest { level.time = time }
    switch rule {
    case .mean:
      // A running mean loses no digits with many sightings.
      level.rssi += (rssi - level.rssi) / Double(level.packets)
    case .last:
      if isLatest { level.rssi = rssi }
    }
    levels[index].reading = level
  }

  /// Returns the sum of these and other levels.
  func adding(_ other: HeardLevels) -> HeardLevels {
    var sum = self
    for level in other.levels {
      sum.levels[sum.index(level.reading.anchor, level.channel)].reading.add(level.reading)
    }
    return sum
  }

  /// Returns the index of an anchor's level on a channel, which is created if necessary.
  private mutating func index(_ anchor: Int, _ channel: UInt8) -> Int {
    let key = Level.key(anchor, channel)
    // This is its index if every anchor before it was received.
    if anchor < levels.count, levels[anchor].key == key { return anchor }
    let index = levels.partitioningIndex { $0.key >= key }
    if index == levels.count || levels[index].key != key {
      let none = Reading(time: .min, anchor: anchor, rssi: 0, packets: 0)
      levels.insert(Level(key: key, reading: none), at: index)
    }
    return index
  }

  /// Returns one reading per anchor, over all its channels.
  func readings(without offset: (_ anchor: Int, _ channel: UInt8) -> Double) -> [Reading] {
    var readings: [Reading] = []
    readings.reserveCapacity(levels.count)
    for level in levels {
      var reading = level.reading
      reading.rssi -= offset(reading.anchor, level.channel)
      if readings.last?.anchor == reading.anchor {
        readings[readings.count - 1].add(reading)
      } else {
        readings.append(reading)
      }
    }
    return readings
  }
}

extension Reading {
  /// Adds a reading of the same anchor: the level becomes the mean weighted by packets.
  fileprivate mutating func add(_ other: Reading) {
    packets += other.packets
    rssi += (other.rssi - rssi) * Double(other.packets) / Double(packets)
    time = Swift.max(time, other.time)
  }
}
