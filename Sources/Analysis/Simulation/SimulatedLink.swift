import Geometry
import NumericalMethods
import RealModule

/// The radio path between a beacon and the receiver, with the beacon's advertising events.
protocol SimulatedLink {
  /// The time of the beacon's next advertising event, in nanoseconds since the start of the trace.
  var nextEvent: Int64 { get }

  /// Returns the reception of the next event on a channel, or `nil` if the packet is lost.
  ///
  /// Loss uses the same numbers of the streams as reception, so that a changed loss probability or
  /// sensitivity thins the same recording.
  mutating func advertise(
    at placement: Placement, channel: UInt8, time: Int64, trace: Int
  ) -> SimulatedSighting?
}

/// The placement of the ends of a link when a packet is sent.
struct Placement {
  /// The straight-line distance between them, in metres.
  var distance: Double
  /// The distance that the moving end has travelled since the start, in metres.
  var walked: Double
  /// The place of the moving end, in metres; `nil` keeps the previous shadowing.
  var place: Point?
  /// The level of the moving end, in floors above the lowest.
  var level = 0.0
  /// The attenuation by slabs or walls, in dB.
  var loss = 0.0
  /// The cosine of the angle between the heading of the body that carries the receiver and the
  /// direction to the beacon; `nil` if it is not carried.
  var facing: Double?
  /// The number of the beacon's rest: each move renews the scattered waves.
  var rest = 0
  /// A Boolean value that is true while the beacon is silent.
  var isSilent = false
}

/// A link of the simple model: noise is independent between packets; everything else depends on the
/// distance walked.
struct SimpleLink: SimulatedLink {
  let beacon: SimulatedBeacon
  private(set) var nextEvent: Int64
  private let propagation: Propagation
  private let reception: PacketReception
  private var stream: RandomStream<Xoshiro256>
  private var shadowing: CorrelatedField
  private var fading: [CorrelatedField]

  /// Starts at a random time in the beacon's first advertising interval.
  init(
    _ beacon: SimulatedBeacon, propagation: Propagation, reception: PacketReception,
    stream: RandomStream<Xoshiro256>
  ) {
    var stream = stream
    self.beacon = beacon
    self.propagation = propagation
    self.reception = reception
    shadowing = CorrelatedField(
      deviation: propagation.shadowingDeviation, distance: propagation.shadowingDistance,
      from: &stream)
    fading = []
    for _ in 0..<3 {
      fading.append(
        CorrelatedField(
          deviation: propagation.fadingDeviation, distance: propagation.fadingDistance,
          from: &stream))
    }
    nextEvent = Int64(stream.uniform() * Double(nanoseconds(reception.advertisingInterval)))
    self.stream = stream
  }

  mutating func advertise(
    at placement: Placement, channel: UInt8, time: Int64, trace: Int
  ) -> SimulatedSighting? {
    let delay = Int64(stream.uniform() * Double(nanoseconds(reception.advertisingDelay)))
    nextEvent += nanoseconds(reception.advertisingInterval) + delay
    let mean =
      propagation.level(of: beacon.measuredPower, at: placement.distance)
      + shadowing.level(at: placement.walked, from: &stream)
    let level =
      mean + fading[Int(channel) - 37].level(at: placement.walked, from: &stream)
      + propagation.noiseDeviation * stream.gaussian()
    let lost = stream.uniform() < reception.lossProbability
    guard !lost, level >= reception.sensitivity else { return nil }
    return SimulatedSighting(
      time: time, trace: trace, beacon: beacon.index, rssi: PacketReception.reported(level),
      channel: channel, meanRSSI: mean, distance: placement.distance)
  }
}

/// A link of the Rician model.
struct RicianLink: SimulatedLink {
  let beacon: SimulatedBeacon
  private(set) var nextEvent: Int64
  private let propagation: Propagation
  private let reception: PacketReception
  private let streams: LinkStreams
  private var events: RandomStream<Xoshiro256>
  private var packets: RandomStream<Xoshiro256>
  private var shadowing: Shadowing
  private var selectivity: Selectivity
  private var fading: RicianFading
  private var rest = 0

  /// Starts at a random time in the beacon's first advertising interval.
  ///
  /// - Parameter maps: The shadowing on each floor; `nil` draws one level.
  init(
    _ beacon: SimulatedBeacon, in scenario: Scenario, streams: LinkStreams, maps: [[ShadowingMap]]?
  ) {
    (self.beacon, self.streams) = (beacon, streams)
    (propagation, reception) = (scenario.propagation, scenario.reception)
    events = streams(.events, 0)
    packets = streams(.packets, 0)
    shadowing = Shadowing(propagation, maps: maps, from: streams(.shadowing, 0))
    selectivity = Selectivity(
      propagation, beacon: RandomStream(seed: scenario.seed, for: .channels, beacon.index),
      link: streams(.selectivity, 0))
    fading = RicianFading(propagation, from: streams(.scattering, 0))
    nextEvent = Int64(events.uniform() * Double(nanoseconds(reception.advertisingInterval)))
  }

  mutating func advertise(
    at placement: Placement, channel: UInt8, time: Int64, trace: Int
  ) -> SimulatedSighting? {
    if placement.rest != rest {
      rest = placement.rest
      selectivity.settle(from: streams(.selectivity, rest))
      fading = RicianFading(propagation, from: streams(.scattering, rest))
    }
    let elapsed = Double(nextEvent) / 1e9
    let delay = Int64(events.uniform() * Double(nanoseconds(reception.advertisingDelay)))
    nextEvent += nanoseconds(reception.advertisingInterval) + delay
    var mean =
      propagation.level(of: beacon.measuredPower, at: placement.distance)
      + shadowing.level(at: placement) - placement.loss
    if let facing = placement.facing { mean -= propagation.bodyLoss * (1 - facing) / 2 }
    let level =
      mean + selectivity.level(channel: Int(channel) - 37, walked: placement.walked)
      + fading.level(channel: Int(channel) - 37, time: elapsed, walked: placement.walked)
      + propagation.noiseDeviation * packets.gaussian()
    let received = (1 - reception.lossProbability) * reception.strongEnough(level)
    guard packets.uniform() < received else { return nil }
    return SimulatedSighting(
      time: time, trace: trace, beacon: beacon.index, rssi: PacketReception.reported(level),
      channel: channel, meanRSSI: mean, distance: placement.distance)
  }
}

/// The named random streams of one link: those of a beacon in a walk, or in a stay of a session.
struct LinkStreams {
  let seed: UInt64
  /// Separate from those of walks, so that a session is not a copy of the first walk.
  let purpose: StreamPurpose
  let trace: Int
  let beacon: Int

  func callAsFunction(_ use: StreamPurpose, _ rest: Int) -> RandomStream<Xoshiro256> {
    RandomStream(seed: seed, for: use, Int(purpose.rawValue), trace, beacon, rest)
  }
}

/// The shadowing of one link: the persistent part of the place, a part that is new on each walk,
/// and the part common to all beacons at the place.
private struct Shadowing {
  /// The maps of each floor.
  private let maps: [[ShadowingMap]]
  private var new: CorrelatedField
  private var stream: RandomStream<Xoshiro256>
  private var place: Point?
  private var storey = 0.0
  private var level: Double

  init(_ propagation: Propagation, maps: [[ShadowingMap]]?, from stream: RandomStream<Xoshiro256>) {
    var stream = stream
    self.maps = maps ?? []
    let deviation = propagation.shadowingDeviation
    let share = maps == nil ? 0 : propagation.shadowingPersistence
    new = CorrelatedField(
      deviation: deviation * (1 - share).squareRoot(), distance: propagation.shadowingDistance,
      from: &stream)
    level = new.level(at: 0, from: &stream)
    if maps == nil { level += propagation.commonDeviation * stream.gaussian() }
    self.stream = stream
  }

  /// Returns the level in dB, which is constant at a place.
  mutating func level(at placement: Placement) -> Double {
    guard let place = placement.place, place != self.place || placement.level != storey else {
      return level
    }
    (self.place, storey) = (place, placement.level)
    level = new.level(at: placement.walked, from: &stream)
    guard !maps.isEmpty else { return level }
    let (below, above, share) = floors(around: storey)
    for map in maps[below] { level += (1 - share) * map.level(at: place) }
    if above > below { for map in maps[above] { level += share * map.level(at: place) } }
    return level
  }
}

/// The differences between the channels of one link, which sum to 0 over the three: constant ones
/// of the beacon, and ones that change with distance walked.
///
/// Three levels without their mean have two degrees of freedom, x and y: the level of channel c is
/// x cos(2π c / 3) + y sin(2π c / 3), with the variance of x and a correlation of -1/2.
private struct Selectivity {
  private let propagation: Propagation
  private let offset: (x: Double, y: Double)
  private var x: CorrelatedField
  private var y: CorrelatedField
  private var stream: RandomStream<Xoshiro256>
  private var walked: Double?
  private var levels: (Double, Double, Double) = (0, 0, 0)

  init(
    _ propagation: Propagation, beacon: RandomStream<Xoshiro256>, link: RandomStream<Xoshiro256>
  ) {
    var (beacon, link) = (beacon, link)
    let pair = beacon.gaussianPair()
    offset = (propagation.channelDeviation * pair.0, propagation.channelDeviation * pair.1)
    x = Self.process(propagation, from: &link)
    y = Self.process(propagation, from: &link)
    stream = link
    self.propagation = propagation
  }

  private static func process(
    _ propagation: Propagation, from stream: inout RandomStream<Xoshiro256>
  ) -> CorrelatedField {
    CorrelatedField(
      deviation: propagation.fadingDeviation, distance: propagation.fadingDistance, from: &stream)
  }

  /// Draws the differences at another place.
  mutating func settle(from stream: RandomStream<Xoshiro256>) {
    self.stream = stream
    x = Self.process(propagation, from: &self.stream)
    y = Self.process(propagation, from: &self.stream)
    walked = nil
  }

  /// Returns the level of a channel from 0 to 2 relative to the mean of the three, in dB.
  mutating func level(channel: Int, walked: Double) -> Double {
    if walked != self.walked {
      self.walked = walked
      let across = offset.x + x.level(at: walked, from: &stream)
      let along = (offset.y + y.level(at: walked, from: &stream)) * 0.75.squareRoot()
      levels = (across, along - across / 2, -along - across / 2)
    }
    return channel == 0 ? levels.0 : channel == 1 ? levels.1 : levels.2
  }
}
