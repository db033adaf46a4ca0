import NumericalMethods
package import Support

/// A calibration session with the beacons of a simulated room.
///
/// Shadowing and channel fading are those of a walk, but drawn again for each dwell, during which
/// nothing moves; only the beacon under test is heard.
package struct SimulatedBench: Sendable {
  /// The rests of the receiver, in time order: the truth.
  package let dwells: [CalibrationDwell]
  private let room: SimulatedRoom

  /// Plans the session, which starts when the room's first walk does.
  package init(_ session: CalibrationSession, in room: SimulatedRoom) throws(RSSIError) {
    self.room = room
    try require("dwell", session.dwell, in: 0.001...1e6)
    try require("pause", session.pause, in: 0...1e6)
    for distance in session.distances {
      try require("distance", distance, in: Propagation.nearestDistance...10_000)
    }
    let rests = Double(session.beacons.count * session.distances.count)
    try require(
      "session length in seconds", rests * (session.dwell + session.pause), in: 0...1e9)
    let last = room.beacons.count - 1
    for beacon in session.beacons {
      try require("beacon", Double(beacon), in: 0...Double(last))
    }
    var dwells: [CalibrationDwell] = []
    var start = Scenario.start
    for beacon in session.beacons {
      for distance in session.distances {
        let end = start + nanoseconds(session.dwell)
        dwells.append(
          CalibrationDwell(
            index: dwells.count, beacon: beacon, distance: distance, start: start, end: end))
        start = end + nanoseconds(session.pause)
      }
    }
    self.dwells = dwells
  }

  /// Hands out every sighting of the session in time order, one at a time.
  package func forEachSighting<Failure>(
    _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    for dwell in dwells {
      var stream = RandomStream(seed: room.scenario.seed, for: .dwell, dwell.index, dwell.beacon)
      let scanner = Scanner(interval: room.scenario.reception.scanInterval, from: &stream)
      let duty = DutyCycle(
        room.scenario.reception,
        from: RandomStream(seed: room.scenario.seed, for: .pause, dwell.index, dwell.beacon))
      var link = SimulatedLink(
        room.beacons[dwell.beacon], propagation: room.scenario.propagation,
        reception: room.scenario.reception, stream: stream)
      while dwell.start + link.nextEvent <= dwell.end {
        let elapsed = link.nextEvent
        let sighting = link.advertise(
          at: dwell.distance, walked: 0, channel: scanner.channel(at: elapsed),
          time: dwell.start + elapsed, trace: dwell.index)
        if let sighting, duty.isScanning(at: elapsed) { try receive(sighting) }
      }
    }
  }
}
