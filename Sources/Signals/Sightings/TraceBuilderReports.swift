package import Advertising
package import Support

// Reports from radios and recordings.
extension TraceBuilder: RecordingSink where Sink: ~Copyable {
  package mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    guard takes(report.time, ofTrace: currentTrace) else { return }
    let advertiser = self.advertiser(report.address)
    // Most senders repeat their payload.
    let slot = payloads.intern(payload, probably: Int(senders[Int(advertiser)].payload))
    senders[Int(advertiser)].payload = UInt32(slot)
    var sighting = Sighting(
      time: report.time, beacon: beacon(slot, Int(advertiser), payload),
      receiver: try receiver(adapter: report.adapter), trace: currentTrace, rssi: report.rssi)
    sighting.advertiser = advertiser
    sighting.take(report)
    sighting.payload = payloads.number(at: slot)
    try appendStanding(sighting)
  }

  /// Receives a sighting whose beacon is known only by name.
  ///
  /// - Parameter measuredPower: The RSSI at 1 m in dBm that the beacon advertises; NaN if there is
  ///   none.
  /// - Throws: `RSSIError` for a name that a trace cannot store, which a source rejects.
  package mutating func receive(
    beacon name: String, measuredPower: Float, adapter: UInt16, time: Int64, rssi: Float,
    channel: UInt8, angle: Angle = Angle()
  ) throws {
    let utf8 = Array(name.utf8)
    let known = catalogue.beacons.count
    let beacon = beacon(utf8.span)
    if beacon >= known { try TextLimit.nodeIdentity.require(name, "identity of a beacon") }
    var sighting = Sighting(
      time: time, beacon: beacon, receiver: try receiver(adapter: adapter),
      trace: currentTrace, rssi: rssi)
    sighting.channel = channel
    sighting.angle = angle
    if !measuredPower.isNaN { state(measuredPower, of: sighting.beacon) }
    try appendStanding(sighting)
  }

  /// Returns a Boolean value that is true if a sighting of a trace at a time is selected; otherwise
  /// it is counted.
  @inline(__always)
  package mutating func takes(_ time: Int64, ofTrace trace: UInt16) -> Bool {
    chosenTimes == nil || isChosen(time, trace)
  }

  private mutating func isChosen(_ time: Int64, _ trace: UInt16) -> Bool {
    let span = spans[trace] ?? chosenTimes?(time) ?? .min..<(.max)
    spans[trace] = span
    let known = allTimes ?? time...time
    allTimes = min(known.lowerBound, time)...max(known.upperBound, time)
    guard span.contains(time) else {
      leftOut += 1
      return false
    }
    return true
  }

  /// Records the measured power that a beacon advertises.
  mutating func state(_ power: Float, of beacon: UInt32) {
    guard catalogue.beacons[Int(beacon)].measuredPower != power else { return }
    catalogue.beacons[Int(beacon)].measuredPower = power
    catalogue.revise(Int(beacon))
  }

  /// Adds a row, with the distance of everything.
  @inline(__always)
  private mutating func appendStanding(_ sighting: Sighting) throws {
    guard let standing else { return try append(sighting) }
    var sighting = sighting
    sighting.stay = stay(of: sighting, distance: standing.distance, pose: standing.pose)
    try append(sighting)
  }

  @inline(__always)
  mutating func advertiser(_ address: DeviceAddress) -> UInt32 {
    let (index, isNew) = advertisers.intern(address)
    return isNew ? addAdvertiser(address, index) : index
  }

  private mutating func addAdvertiser(_ address: DeviceAddress, _ index: UInt32) -> UInt32 {
    catalogue.advertisers.append(address)
    senders.append(Sender())
    return index
  }

  /// Returns the beacon that sent a payload. Telemetry has no identity, so it belongs to the beacon
  /// that the same address named last; anything else without an identity is the beacon of its
  /// address.
  private mutating func beacon(
    _ slot: Int, _ advertiser: Int, _ payload: Span<UInt8>
  ) -> UInt32 {
    if case .unknown = payloads[meaning: slot] { payloads[meaning: slot] = meaning(of: payload) }
    switch payloads[meaning: slot] {
    case .beacon(let beacon):
      if senders[advertiser].namedBeacon != beacon { noteSender(of: beacon, advertiser) }
      return beacon
    case .telemetry where senders[advertiser].namedBeacon != Sighting.none:
      return senders[advertiser].namedBeacon
    case .telemetry, .other, .unknown:
      if senders[advertiser].ownBeacon == Sighting.none {
        let name = Array("addr:\(catalogue.advertisers[advertiser])".utf8)
        senders[advertiser].ownBeacon = beacon(name.span)
      }
      return senders[advertiser].ownBeacon
    }
  }

  /// Records that an address names a beacon, and the addresses that have sent it.
  private mutating func noteSender(of beacon: UInt32, _ advertiser: Int) {
    senders[advertiser].namedBeacon = beacon
    let pair = UInt64(advertiser) << 32 | UInt64(beacon)
    let slot = (advertiser &+ Int(beacon)) & 63
    guard latestSenders[slot] != pair else { return }
    latestSenders[slot] = pair
    guard knownSenders.insert(pair).inserted,
      catalogue.advertisers[advertiser].type != DeviceAddress.anonymousType
    else { return }
    catalogue.senders.append(
      BeaconSender(beacon: beacon, address: catalogue.advertisers[advertiser].bits))
  }

  private mutating func meaning(of payload: Span<UInt8>) -> PayloadTable.Meaning {
    let frame = BeaconFrame(payload: payload)
    switch frame {
    case .other: return .other
    case .eddystoneTLM, .eddystoneETLM: return .telemetry
    default:
      let identity = BeaconIdentity(frame, address: DeviceAddress(bits: 0, type: 0))
      let name = Array(identity.description.utf8)
      let beacon = beacon(name.span)
      if let power = frame.measuredPower { state(Float(power), of: beacon) }
      return .beacon(beacon)
    }
  }
}

/// The latest information on the sender with an address.
struct Sender {
  /// The beacon that the address itself is.
  var ownBeacon = Sighting.none
  /// The beacon that it named last, whose telemetry it sends.
  var namedBeacon = Sighting.none
  /// The slot of its latest payload.
  var payload = UInt32.max
}

// The properties, places and losses of receivers.
extension TraceBuilder where Sink: ~Copyable {
  /// Sets the properties of the receiver with an adapter's number.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func describe(
    adapter: UInt16, name: String, radio: Radio
  ) throws(RSSIError) {
    let utf8 = Array(name.utf8)
    let index = try receiver(utf8.span)
    adapterReceivers[adapter] = index
    lastReceiver = nil
    catalogue.receivers[Int(index)].radio = radio
  }

  /// Records that a receiver stood at a place between two times; a later call extends the end.
  ///
  /// - Parameters:
  ///   - x, y, z: The coordinates in metres; z may be NaN.
  package mutating func stand(
    receiver: UInt16, x: Double, y: Double, z: Double, during span: ClosedRange<Int64>
  ) {
    func point(_ time: Int64) -> TruthPoint {
      TruthPoint(
        time: time, role: .receiver, node: UInt32(receiver), trace: currentTrace, x: x, y: y, z: z)
    }
    let first = standingTruth[receiver] ?? catalogue.truth.count
    if standingTruth[receiver] == nil {
      standingTruth[receiver] = first
      catalogue.truth += [point(span.lowerBound), point(span.upperBound)]
    }
    catalogue.truth[first] = point(span.lowerBound)
    catalogue.truth[first + 1] = point(span.upperBound)
  }

  /// Adds a period of loss; beyond the limit of a trace it is only counted.
  package mutating func append(_ gap: Gap) {
    guard catalogue.gaps.count < Gap.most else { return reject("too-many-gaps") }
    catalogue.gaps.append(gap)
  }

  /// Adds a period in which the receiver with an adapter's number lost something.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func lost(_ loss: Loss) throws {
    if chosenTimes != nil {
      guard let span = spans[currentTrace], loss.end >= span.lowerBound,
        loss.start < span.upperBound
      else { return }
    }
    append(
      Gap(
        start: loss.start, end: loss.end, receiver: try receiver(adapter: loss.adapter),
        reason: loss.reason, dropped: loss.dropped))
  }

  /// Adds a reading of the clock.
  package mutating func append(_ reading: ClockReading) { catalogue.clock.append(reading) }

  /// Returns the receiver with an adapter's number.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func receiver(adapter: UInt16) throws(RSSIError) -> UInt16 {
    if let lastReceiver, lastReceiver.adapter == adapter { return lastReceiver.index }
    let index: UInt16
    if let known = adapterReceivers[adapter] {
      index = known
    } else {
      let name = Array((receiverName ?? "hci\(adapter)").utf8)
      index = try receiver(name.span)
      adapterReceivers[adapter] = index
    }
    lastReceiver = (adapter, index)
    return index
  }
}
