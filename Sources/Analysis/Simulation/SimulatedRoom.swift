public import Geometry
import NumericalMethods
public import Support

/// One received packet of the simulation, with its ground truth.
public struct SimulatedSighting: Hashable, Sendable {
  /// The time of reception, in nanoseconds since the Unix epoch.
  public let time: Int64
  /// The index of the walk, or of the stay of a calibration session.
  public let trace: Int
  /// The index of the beacon.
  public let beacon: Int
  /// The level that the receiver reports, in whole dBm.
  public let rssi: Int8
  /// The radio channel: 37, 38 or 39.
  public let channel: UInt8
  /// The true mean level in dBm: path loss, slabs, walls, shadowing and body, without fading and
  /// packet noise.
  public let meanRSSI: Double
  /// The true straight-line distance, height included, in metres.
  public let distance: Double
}

/// A room with beacons and a receiver, of which either moves, determined by its scenario.
///
/// The model is documented in `docs/simulation.md`.
public struct SimulatedRoom: Sendable {
  /// The description of the room.
  public let scenario: Scenario
  /// The beacons, by index; those that rest are at their places in the first trace.
  public let beacons: [SimulatedBeacon]
  private let slabs: Slabs?
  private let walls: FlatWalls?

  /// Places the beacons.
  public init(_ scenario: Scenario) throws(RSSIError) {
    try scenario.validate()
    self.scenario = scenario
    let (seed, room, propagation) = (scenario.seed, scenario.room, scenario.propagation)
    let layouts = (0..<(scenario.storeys?.count ?? 1)).map { floor in
      var stream = RandomStream(seed: seed, for: .layout, floor == 0 ? [] : [floor])
      return BeaconLayout(width: room.width, depth: room.depth, offset: stream.uniform())
    }
    let plan = scenario.flat.map { _ in FlatPlan(room) }
    let places = plan?.beaconPlaces(room.beaconCount, seed: seed)
    let beacons = (0..<layouts.count * room.beaconCount).map { index in
      let (floor, place) = index.quotientAndRemainder(dividingBy: room.beaconCount)
      var stream = RandomStream(seed: seed, for: .power, index)
      let rests = scenario.rests.map {
        BeaconRests(scenario: scenario, plan: $0, trace: 0, beacon: index)
      }
      var first = rests?.makeIterator()
      return SimulatedBeacon(
        index: index,
        position: first?.next()?.position ?? places?[index] ?? layouts[floor].position(of: place),
        height: room.beaconHeight,
        measuredPower: propagation.measuredPower
          + propagation.measuredPowerDeviation * stream.gaussian(),
        floor: floor)
    }
    self.beacons = beacons
    slabs = scenario.storeys.map { Slabs($0, among: beacons, seed: seed) }
    walls = scenario.flat.flatMap { flat in
      plan.map { FlatWalls(flat, $0, among: beacons, seed: seed) }
    }
  }

  /// The true walks, in time order; the index is the trace of the sightings. Empty if beacons rest.
  public var walks: [Walk] {
    guard scenario.rests == nil else { return [] }
    return (0..<scenario.walks.count).map { Walk(scenario: scenario, trace: $0) }
  }

  /// The place of a stationary receiver while beacons rest, in metres; `nil` if it walks.
  public var receiverPosition: Point? { scenario.rests.map { _ in scenario.room.middle } }

  /// Returns the true rests of a beacon in a trace, in time order, or `nil` if the receiver walks.
  public func rests(ofBeacon beacon: Int, inTrace trace: Int) -> BeaconRests? {
    scenario.rests.map {
      BeaconRests(scenario: scenario, plan: $0, trace: trace, beacon: beacon)
    }
  }

  /// Calls a closure with every sighting of all traces in time order, in constant memory.
  ///
  /// Beacons that advertise in the same nanosecond follow in order of their index.
  public func forEachSighting<Failure>(
    _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    switch scenario.model {
    case .simple:
      for trace in 0..<scenario.walks.count {
        let links = beacons.map {
          SimpleLink(
            $0, propagation: scenario.propagation, reception: scenario.reception,
            stream: RandomStream(seed: scenario.seed, for: .link, trace, $0.index))
        }
        try record(trace, links, receive)
      }
    case .rician:
      // Maps belong to the room: every walk uses the same ones.
      let maps = shadowingMaps
      for trace in 0..<scenario.walks.count {
        let links = zip(beacons, maps).map { ricianLink($0, .link, trace, maps: $1) }
        try record(trace, links, receive)
      }
    }
  }

  /// Creates a link of the Rician model, in a walk or a stay.
  func ricianLink(
    _ beacon: SimulatedBeacon, _ purpose: StreamPurpose, _ trace: Int, maps: [[ShadowingMap]]?
  ) -> RicianLink {
    RicianLink(
      beacon, in: scenario,
      streams: LinkStreams(
        seed: scenario.seed, purpose: purpose, trace: trace, beacon: beacon.index),
      maps: maps)
  }

  /// The persistent shadowing maps of each beacon: on each floor its own and the common one.
  private var shadowingMaps: [[[ShadowingMap]]] {
    let propagation = scenario.propagation
    func map(_ deviation: Double, _ stream: RandomStream<Xoshiro256>) -> ShadowingMap {
      ShadowingMap(deviation: deviation, distance: propagation.shadowingDistance, from: stream)
    }
    let deviation =
      propagation.shadowingDeviation * propagation.shadowingPersistence.squareRoot()
    // Without floors the streams have no index of one.
    let floors = scenario.storeys.map { (0..<$0.count).map { [$0] } } ?? [[]]
    let common = floors.map {
      map(propagation.commonDeviation, RandomStream(seed: scenario.seed, for: .common, $0))
    }
    // A map belongs to the stationary end of a link: beacons that rest around one receiver share
    // it.
    return beacons.map { beacon in
      let index = scenario.rests == nil ? beacon.index : -1
      return zip(floors, common).map {
        [map(deviation, RandomStream(seed: scenario.seed, for: .map, [index] + $0)), $1]
      }
    }
  }

  private func record<Link: SimulatedLink, Failure>(
    _ trace: Int, _ links: [Link], _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    if let plan = scenario.rests {
      try record(trace, links, RestingBeacons(scenario, plan, trace: trace), receive)
    } else if let walk = WalkingReceiver(
      Walk(scenario: scenario, trace: trace), among: beacons, slabs: slabs, walls: walls)
    {
      try record(trace, links, walk, receive)
    }
  }

  private func record<Link: SimulatedLink, Course: Motion, Failure>(
    _ trace: Int, _ links: [Link], _ motion: Course,
    _ receive: (SimulatedSighting) throws(Failure) -> Void
  ) throws(Failure) {
    let start = scenario.walks.start(ofTrace: trace)
    var scannerStream = RandomStream(seed: scenario.seed, for: .scanner, trace)
    let scanner = Scanner(interval: scenario.reception.scanInterval, from: &scannerStream)
    let duty = DutyCycle(
      scenario.reception, from: RandomStream(seed: scenario.seed, for: .pause, trace))
    var (links, motion) = (links, motion)
    var schedule = EventSchedule(links.map(\.nextEvent))
    while let (elapsed, next) = schedule.first {
      guard let placement = motion.placement(of: next, at: start + elapsed) else { return }
      let sighting = links[next].advertise(
        at: placement, channel: scanner.channel(at: elapsed), time: start + elapsed, trace: trace)
      schedule.postpone(to: links[next].nextEvent)
      guard let sighting, !placement.isSilent, duty.isScanning(at: elapsed) else { continue }
      try receive(sighting)
    }
  }
}

/// The next events of all links in order of time, then of their index: a binary heap, so that the
/// cost of an event grows with the logarithm of the number of links.
struct EventSchedule {
  private var heap: [(time: Int64, index: Int)]

  /// Creates the schedule from the time of each link's next event.
  init(_ times: [Int64]) {
    // Sorted entries are a heap.
    heap = times.enumerated().map { ($1, $0) }.sorted { $0 < $1 }
  }

  /// The next event of all; `nil` without links.
  var first: (time: Int64, index: Int)? { heap.first }

  /// Postpones the link of the next event.
  mutating func postpone(to time: Int64) {
    let event = (time: time, index: heap[0].index)
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < event else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = event
  }
}
