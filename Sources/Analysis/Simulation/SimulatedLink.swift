import NumericalMethods

/// The radio path from one beacon to the receiver, with the beacon's advertising events.
struct SimulatedLink {
  let beacon: SimulatedBeacon
  /// When the beacon advertises next, in nanoseconds since the start of the trace.
  private(set) var nextEvent: Int64
  private let propagation: Propagation
  private let reception: PacketReception
  private var stream: RandomStream<Xoshiro256>
  private var shadowing: CorrelatedField
  private var fading: [CorrelatedField]

  /// Starts somewhere in the beacon's first advertising interval.
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

  /// What the receiver hears of the next event on a channel; nil where the packet is lost.
  ///
  /// Loss takes the same numbers from the stream as reception, so that a changed loss probability
  /// or sensitivity thins the same recording.
  mutating func advertise(
    at distance: Double, walked: Double, channel: UInt8, time: Int64, trace: Int
  ) -> SimulatedSighting? {
    let delay = Int64(stream.uniform() * Double(nanoseconds(reception.advertisingDelay)))
    nextEvent += nanoseconds(reception.advertisingInterval) + delay
    let mean =
      propagation.level(of: beacon.measuredPower, at: distance)
      + shadowing.level(at: walked, from: &stream)
    let level =
      mean + fading[Int(channel) - 37].level(at: walked, from: &stream)
      + propagation.noiseDeviation * stream.gaussian()
    let lost = stream.uniform() < reception.lossProbability
    guard !lost, level >= reception.sensitivity else { return nil }
    return SimulatedSighting(
      time: time, trace: trace, beacon: beacon.index, rssi: PacketReception.reported(level),
      channel: channel, meanRSSI: mean, distance: distance)
  }
}
