import Geometry
import NumericalMethods
package import Support

/// A room full of beacons and a receiver that walks through it, the same for the same scenario.
///
/// The model is written out in `docs/simulation.md`.
package struct SimulatedRoom: Sendable {
  package let scenario: Scenario
  /// The beacons, by index.
  package let beacons: [SimulatedBeacon]

  /// Hangs up the beacons.
  package init(_ scenario: Scenario) throws(RSSIError) {
    try scenario.validate()
    self.scenario = scenario
    let (seed, room, propagation) = (scenario.seed, scenario.room, scenario.propagation)
    var layoutStream = RandomStream(seed: seed, for: .layout)
    let layout = BeaconLayout(width: room.width, depth: room.depth, offset: layoutStream.uniform())
    beacons = (0..<room.beaconCount).map { index in
      var stream = RandomStream(seed: seed, for: .power, index)
      return SimulatedBeacon(
        index: index, position: layout.position(of: index), height: room.beaconHeight,
        measuredPower: propagation.measuredPower
          + propagation.measuredPowerDeviation * stream.gaussian())
    }
  }

  /// The true walks, in time order; the index is the trace of the sightings.
  package var walks: [Walk] { (0..<scenario.walks.count).map(walk) }

  private func walk(_ trace: Int) -> Walk { Walk(scenario: scenario, trace: trace) }

  /// Hands out every sighting of all walks in time order, one at a time, in constant memory.
  ///
  /// Beacons that advertise in the same nanosecond follow in order of their index.
  package func forEachSighting<Failure>(
    _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    for trace in 0..<scenario.walks.count {
      try record(trace, receive)
    }
  }

  private func record<Failure>(
    _ trace: Int, _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    guard var walker = Walker(walk(trace)) else { return }
    let start = scenario.walks.start(ofTrace: trace)
    var scannerStream = RandomStream(seed: scenario.seed, for: .scanner, trace)
    let scanner = Scanner(interval: scenario.reception.scanInterval, from: &scannerStream)
    let duty = DutyCycle(
      scenario.reception, from: RandomStream(seed: scenario.seed, for: .pause, trace))
    let rise = scenario.room.beaconHeight - scenario.room.receiverHeight
    var links = beacons.map { beacon in
      SimulatedLink(
        beacon, propagation: scenario.propagation, reception: scenario.reception,
        stream: RandomStream(seed: scenario.seed, for: .link, trace, beacon.index))
    }
    while let next = links.indices.min(by: { links[$0].nextEvent < links[$1].nextEvent }) {
      let elapsed = links[next].nextEvent
      guard let (position, walked) = walker.advance(to: start + elapsed) else { return }
      let across = position.distance(to: links[next].beacon.position)
      let sighting = links[next].advertise(
        at: (across * across + rise * rise).squareRoot(), walked: walked,
        channel: scanner.channel(at: elapsed), time: start + elapsed, trace: trace)
      if let sighting, duty.isScanning(at: elapsed) { try receive(sighting) }
    }
  }
}
