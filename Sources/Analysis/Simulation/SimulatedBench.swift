import NumericalMethods
package import Support

/// A calibration session: the receiver rests at known distances from one beacon after another.
package struct CalibrationSession: Hashable, Sendable {
  /// The straight-line distances, in metres, in the order of the stays.
  package var distances: [Double] = (1...16).map { 0.5 * Double($0) }
  /// The duration of each stay, in seconds.
  package var stay = 20.0
  /// The pause while the receiver is carried, in seconds.
  package var pause = 5.0
  /// The indices of the measured beacons, in order.
  package var beacons: [Int]

  /// Creates a session of 0.5 m to 8 m in steps of half a metre, 20 s each.
  package init(beacons: [Int] = [0]) { self.beacons = beacons }
}

/// A rest of the receiver at a known distance from one beacon.
package struct SimulatedStay: Hashable, Sendable {
  /// The number of the stay in the session, from 0: the trace of its sightings.
  package let index: Int
  /// The index of the beacon.
  package let beacon: Int
  /// The true distance, in metres.
  package let distance: Double
  /// The start, in nanoseconds since the Unix epoch.
  package let start: Int64
  /// The end, in nanoseconds since the Unix epoch.
  package let end: Int64
}

/// A calibration session with the beacons of a simulated room.
///
/// Shadowing and fading are those of a walk, but drawn again for each stay, in which nothing moves
/// and the receiver is not carried; only the beacon under test is received.
package struct SimulatedBench: Sendable {
  /// The true stays of the receiver, in time order.
  package let stays: [SimulatedStay]
  private let room: SimulatedRoom

  /// Plans the session, which starts at the time of the room's first walk.
  package init(_ session: CalibrationSession, in room: SimulatedRoom) throws(RSSIError) {
    self.room = room
    try require("stay", session.stay, in: 0.001...1e6)
    try require("pause", session.pause, in: 0...1e6)
    for distance in session.distances {
      try require("distance", distance, in: Propagation.nearestDistance...10_000)
    }
    let rests = Double(session.beacons.count * session.distances.count)
    try require(
      "session length in seconds", rests * (session.stay + session.pause), in: 0...1e9)
    let last = room.beacons.count - 1
    for beacon in session.beacons {
      try require("beacon", Double(beacon), in: 0...Double(last))
    }
    var stays: [SimulatedStay] = []
    var start = Scenario.start
    for beacon in session.beacons {
      for distance in session.distances {
        let end = start + nanoseconds(session.stay)
        stays.append(
          SimulatedStay(
            index: stays.count, beacon: beacon, distance: distance, start: start, end: end))
        start = end + nanoseconds(session.pause)
      }
    }
    self.stays = stays
  }

  /// Calls a closure with every sighting of the session in time order, in constant memory.
  package func forEachSighting<Failure>(
    _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    for stay in stays {
      let beacon = room.beacons[stay.beacon]
      var stream = RandomStream(seed: room.scenario.seed, for: .stay, stay.index, stay.beacon)
      let scanner = Scanner(interval: room.scenario.reception.scanInterval, from: &stream)
      switch room.scenario.model {
      case .simple:
        // The number for the scanner is the first of the link's own stream.
        let link = SimpleLink(
          beacon, propagation: room.scenario.propagation, reception: room.scenario.reception,
          stream: stream)
        try record(stay, scanner, link, receive)
      case .rician:
        let link = room.ricianLink(beacon, .stay, stay.index, maps: nil)
        try record(stay, scanner, link, receive)
      }
    }
  }

  private func record<Link: SimulatedLink, Failure>(
    _ stay: SimulatedStay, _ scanner: Scanner, _ link: Link,
    _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    let duty = DutyCycle(
      room.scenario.reception,
      from: RandomStream(seed: room.scenario.seed, for: .pause, stay.index, stay.beacon))
    var link = link
    while stay.start + link.nextEvent <= stay.end {
      let elapsed = link.nextEvent
      let sighting = link.advertise(
        at: Placement(distance: stay.distance, walked: 0),
        channel: scanner.channel(at: elapsed), time: stay.start + elapsed, trace: stay.index)
      if let sighting, duty.isScanning(at: elapsed) { try receive(sighting) }
    }
  }
}
