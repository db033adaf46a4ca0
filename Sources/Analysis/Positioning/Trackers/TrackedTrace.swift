import Geometry

/// The scans of a trace in short bins, with the anchors that they refer to.
struct TrackedTrace {
  /// One level per anchor received within a short time.
  struct Bin {
    /// The time of its last packet, in nanoseconds since the Unix epoch.
    var time: Int64
    var levels: [Level]
  }

  struct Level {
    var anchor: Int
    /// The level, in dBm.
    var rssi: Double
    var packets: Double
  }

  struct Part {
    var instant: Int64
    var asked: Int64
    var bins: [Bin]
    /// The levels of a stop, whose numbers of packets are evidence; empty on the move.
    var stop: [(anchor: Int, packets: Double)]
    /// A Boolean value that is true if a received level is invalid; then there are no bins.
    var isInvalid: Bool
  }

  private(set) var anchors: [Anchor]
  private(set) var parts: [Part] = []

  /// The longest bin: a person at 1 m/s walks 0.2 m, below the resolution of levels.
  static let binNanoseconds: Int64 = 200_000_000

  init(_ scans: [Scan], in surroundings: Surroundings) {
    anchors = surroundings.anchors
    let isListed = !anchors.isEmpty
    for scan in scans { append(scan, isListed: isListed) }
  }

  /// Replaces the scans with a new one.
  mutating func take(_ scan: Scan) {
    parts.removeAll(keepingCapacity: true)
    append(scan, isListed: true)
  }

  private mutating func append(_ scan: Scan, isListed: Bool) {
    var readings = scan.readings
    var isValid = scan.observations.allSatisfy(\.isValid)
    if readings.isEmpty || !isListed {
      // Without a list of anchors, each distinct observed anchor is one.
      readings =
        !isValid
        ? []
        : scan.observations.map { observation in
          var number = observation.number
          if !isListed {
            let anchor = Anchor(observation)
            number = anchors.firstIndex(of: anchor) ?? anchors.count
            if number == anchors.count { anchors.append(anchor) }
          }
          return Reading(
            time: scan.instant, anchor: number, rssi: observation.rssi, packets: observation.packets
          )
        }
    }
    isValid =
      isValid
      && readings.allSatisfy {
        anchors.indices.contains($0.anchor) && $0.packets > 0
          && Observation(anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi).isValid
      }
    parts.append(
      Part(
        instant: scan.instant, asked: scan.asked, bins: isValid ? bins(readings) : [],
        stop: isValid && scan.isStop
          ? readings.map { ($0.anchor, Double($0.packets)) } : [],
        isInvalid: !isValid))
  }

  /// Returns a Boolean value that is true if a track processes one level of a bin before another:
  /// the stronger first, because a near anchor determines the place best for those that follow;
  /// else by the anchors' places, so that the order of their list has no effect.
  private func precedes(_ a: Level, _ b: Level) -> Bool {
    a.rssi != b.rssi ? a.rssi > b.rssi : anchors[a.anchor].isBefore(anchors[b.anchor])
  }

  private func bins(_ readings: [Reading]) -> [Bin] {
    var bins: [Bin] = []
    var start: Int64 = 0
    for reading in readings {
      if bins.isEmpty || reading.time - start > Self.binNanoseconds {
        start = reading.time
        bins.append(Bin(time: reading.time, levels: []))
      }
      bins[bins.count - 1].time = max(bins[bins.count - 1].time, reading.time)
      bins[bins.count - 1].add(
        .init(anchor: reading.anchor, rssi: reading.rssi, packets: Double(reading.packets)))
    }
    for index in bins.indices { bins[index].levels.sort(by: precedes) }
    return bins
  }
}

extension TrackedTrace.Bin {
  /// Adds a level to the mean of its anchor.
  mutating func add(_ level: TrackedTrace.Level) {
    guard let index = levels.firstIndex(where: { $0.anchor == level.anchor }) else {
      levels.append(level)
      return
    }
    let total = levels[index].packets + level.packets
    levels[index].rssi += (level.rssi - levels[index].rssi) * level.packets / total
    levels[index].packets = total
  }
}

extension Anchor {
  /// Orders anchors by place: from west to east, from south to north, then upwards.
  fileprivate func isBefore(_ other: Anchor) -> Bool {
    (place.x, place.y, heightDifference) < (other.place.x, other.place.y, other.heightDifference)
  }

  fileprivate init(_ observation: Observation) {
    self.init(
      place: observation.anchor, heightDifference: observation.heightDifference,
      measuredPower: observation.measuredPower, exponent: observation.exponent,
      sigma: observation.sigma)
  }
}
