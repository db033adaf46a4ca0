public import Advertising

/// Where every source ends: it numbers names, addresses and payloads and hands on blocks of rows.
///
/// A row costs no allocation, and memory grows with the number of different names and addresses, not
/// with the number of sightings.
public struct Intake<Sink: SightingSink & ~Copyable>: ~Copyable {
  /// The tables so far.
  public private(set) var catalogue = Catalogue()
  private var rows: SightingColumns
  /// The latest rows, few enough for the processor's first cache, from where they go to the columns.
  private var latest: [Sighting] = []
  private let blockRows: Int

  private var beacons = NameTable()
  private var receivers = NameTable()
  private var traces = NameTable()
  private var payloads = PayloadTable()
  private var advertisers = AddressTable()
  /// By advertiser: the beacon that its address is, and the one whose telemetry it sends.
  private var addressBeacons: [UInt32] = []
  private var namedBeacons: [UInt32] = []
  private var declaredRoles: [String: NodeRole] = [:]
  private var rejected: [String: UInt64] = [:]
  private var openDwells = OpenDwells()
  /// By receiver, the first of the two rows of truth that say where it stands.
  private var standingTruth: [UInt16: Int] = [:]

  /// Which trace reports belong to, until changed.
  public var currentTrace: UInt16 = 0
  /// The receiver that reports come from; nil names each adapter hci0, hci1 and so on.
  public var receiverName: String? {
    didSet {
      adapterReceivers.removeAll()
      lastReceiver = nil
    }
  }
  private var adapterReceivers: [UInt16: UInt16] = [:]
  /// The distance and pose at which all that radios report from now on is heard; nil = not known.
  public var standing: (distance: Double, pose: String)?
  /// The last of them: most reports come from the adapter of the one before.
  private var lastReceiver: (adapter: UInt16, index: UInt16)?
  /// What receives the rows; last, so that all else lies where it does whatever the sink's size.
  public var sink: Sink

  /// - Parameters:
  ///   - sink: what receives the rows.
  ///   - blockRows: rows in a block.
  public init(into sink: consuming Sink, blockRows: Int = 65_536) {
    self.sink = sink
    self.blockRows = blockRows
    rows = SightingColumns(capacity: blockRows)
    latest.reserveCapacity(256)
  }

  /// Hands on what is left and returns the final tables.
  public mutating func complete() throws -> Catalogue {
    try flush()
    return currentCatalogue()
  }

  /// The tables so far, with the counts of what was refused.
  public mutating func currentCatalogue() -> Catalogue {
    catalogue.rejected = rejected.sorted { $0.key < $1.key }
      .map { Rejected(reason: $0.key, count: $0.value) }
    defer { catalogue.revisedBeacons = 0..<0 }
    return catalogue
  }

  /// Gives the sink back.
  public consuming func takeSink() -> Sink { sink }

  /// Counts input that was refused.
  public mutating func reject(_ reason: String, count: UInt64 = 1) {
    rejected[reason, default: 0] += count
  }

  /// Adds a row whose indices came from this intake.
  public mutating func append(_ sighting: Sighting) throws {
    latest.append(sighting)
    if rows.count + latest.count == blockRows { return try flush() }
    if latest.count == 256 { spread() }
  }

  /// Hands on the rows that there are, for a reader that does not wait until a block is full.
  public mutating func flush() throws {
    spread()
    guard !rows.isEmpty else { return }
    try sink.append(rows, payloads: payloads.new, catalogue: catalogue)
    catalogue.revisedBeacons = 0..<0
    rows.removeAll()
    payloads.removeNew()
  }

  /// Moves the latest rows to the columns.
  private mutating func spread() {
    rows.append(contentsOf: latest)
    latest.removeAll(keepingCapacity: true)
  }
}

// Names from tables and streams.
extension Intake where Sink: ~Copyable {
  public mutating func beacon(_ utf8: Span<UInt8>) -> UInt32 {
    let (index, isNew) = beacons.intern(utf8)
    if isNew {
      let id = beacons.names[index]
      catalogue.beacons.append(Node(id: id, kind: BeaconKind(identity: id).rawValue))
    }
    return UInt32(index)
  }

  /// - Throws: `IntakeLimit` beyond 65,535 receivers.
  public mutating func receiver(_ utf8: Span<UInt8>) throws(IntakeLimit) -> UInt16 {
    let (index, isNew) = receivers.intern(utf8)
    guard index < UInt16.max else { throw .receivers }
    if isNew { catalogue.receivers.append(Node(id: receivers.names[index], kind: "receiver")) }
    return UInt16(index)
  }

  /// - Throws: `IntakeLimit` beyond 65,535 traces.
  public mutating func trace(_ utf8: Span<UInt8>) throws(IntakeLimit) -> UInt16 {
    let (index, isNew) = traces.intern(utf8)
    guard index < UInt16.max else { throw .traces }
    if isNew { catalogue.traces.append(traces.names[index]) }
    return UInt16(index)
  }

  /// - Throws: `IntakeLimit` beyond 65,535 traces.
  public mutating func trace(named name: String) throws(IntakeLimit) -> UInt16 {
    let bytes = Array(name.utf8)
    return try trace(bytes.span)
  }

  /// The stay that a reading at a known distance belongs to.
  public mutating func dwell(of sighting: Sighting, distance: Double, pose: String = "") -> UInt32 {
    openDwells.index(of: sighting, distance: distance, pose: pose, in: &catalogue.dwells)
  }

  /// The node of a name and a role, added if it is new.
  ///
  /// - Throws: `IntakeLimit` beyond 65,535 receivers.
  public mutating func add(_ name: String, role: NodeRole) throws(IntakeLimit) -> UInt32 {
    let bytes = Array(name.utf8)
    declaredRoles[name] = role
    switch role {
    case .beacon: return beacon(bytes.span)
    case .receiver: return UInt32(try receiver(bytes.span))
    }
  }

  /// Which node a name is: of the role that a table of nodes gives it, else beacons first.
  public func node(_ name: String) -> (role: NodeRole, index: UInt32)? {
    if declaredRoles[name] == .receiver, let index = receivers.find(name) {
      return (.receiver, UInt32(index))
    }
    if let index = beacons.find(name) { return (.beacon, UInt32(index)) }
    if let index = receivers.find(name) { return (.receiver, UInt32(index)) }
    return nil
  }

  /// Changes what is known of a node.
  public mutating func update(_ role: NodeRole, _ index: UInt32, _ change: (inout Node) -> Void) {
    switch role {
    case .beacon:
      change(&catalogue.beacons[Int(index)])
      catalogue.revise(Int(index))
    case .receiver: change(&catalogue.receivers[Int(index)])
    }
  }

  /// Adds a reference position; of a node that stands still only the first and the last are kept.
  public mutating func append(_ point: TruthPoint) {
    let count = catalogue.truth.count
    if count >= 2, point.isSamePlace(as: catalogue.truth[count - 1]),
      point.isSamePlace(as: catalogue.truth[count - 2])
    {
      catalogue.truth[count - 2].time = min(catalogue.truth[count - 2].time, point.time)
      catalogue.truth[count - 1].time = max(catalogue.truth[count - 1].time, point.time)
    } else {
      catalogue.truth.append(point)
    }
  }
}

// Reports from radios and recordings.
extension Intake: ReportSink where Sink: ~Copyable {
  public mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    let advertiser = self.advertiser(report.address)
    let slot = payloads.intern(payload)
    var sighting = Sighting(
      time: report.time, beacon: beacon(slot, Int(advertiser), payload),
      receiver: try receiver(adapter: report.adapter), trace: currentTrace, rssi: report.rssi)
    sighting.advertiser = advertiser
    sighting.eventType = report.eventType
    sighting.channel = report.channel
    sighting.primaryPHY = report.primaryPHY
    sighting.secondaryPHY = report.secondaryPHY
    sighting.sid = report.sid
    sighting.txPower = report.txPower
    sighting.dataStatus = report.dataStatus
    sighting.payload = payloads.number(at: slot)
    try appendStanding(sighting)
  }

  /// Takes a sighting whose beacon is known by name only.
  ///
  /// - Parameter measuredPower: RSSI at 1 m in dBm as the beacon states it; NaN where it is not told.
  public mutating func receive(
    beacon name: String, measuredPower: Float, adapter: UInt16, time: Int64, rssi: Float,
    channel: UInt8
  ) throws {
    let utf8 = Array(name.utf8)
    var sighting = Sighting(
      time: time, beacon: beacon(utf8.span), receiver: try receiver(adapter: adapter),
      trace: currentTrace, rssi: level(rssi))
    sighting.channel = channel
    if !measuredPower.isNaN { state(measuredPower, of: sighting.beacon) }
    try appendStanding(sighting)
  }

  /// Keeps the measured power that a beacon states.
  private mutating func state(_ power: Float, of beacon: UInt32) {
    guard catalogue.beacons[Int(beacon)].measuredPower != power else { return }
    catalogue.beacons[Int(beacon)].measuredPower = power
    catalogue.revise(Int(beacon))
  }

  /// Adds a row, at the distance at which everything stands.
  private mutating func appendStanding(_ sighting: Sighting) throws {
    guard let standing else { return try append(sighting) }
    var sighting = sighting
    sighting.dwell = dwell(of: sighting, distance: standing.distance, pose: standing.pose)
    try append(sighting)
  }

  /// Names the receiver behind an adapter's number and says how it listens.
  ///
  /// - Throws: `IntakeLimit` beyond 65,535 receivers.
  public mutating func describe(
    adapter: UInt16, name: String, radio: Radio
  ) throws(IntakeLimit) {
    let utf8 = Array(name.utf8)
    let index = try receiver(utf8.span)
    adapterReceivers[adapter] = index
    lastReceiver = nil
    catalogue.receivers[Int(index)].radio = radio
  }

  /// Says that a receiver stood at a place from a time to a time; a later call moves the end.
  ///
  /// - Parameters:
  ///   - x, y, z: metres; z may be NaN.
  public mutating func stand(
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

  /// Adds a time in which something was lost.
  public mutating func append(_ gap: Gap) { catalogue.gaps.append(gap) }

  /// Adds a reading of the clock.
  public mutating func append(_ reading: ClockReading) { catalogue.clock.append(reading) }

  /// The receiver behind an adapter's number.
  ///
  /// - Throws: `IntakeLimit` beyond 65,535 receivers.
  public mutating func receiver(adapter: UInt16) throws(IntakeLimit) -> UInt16 {
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

  private mutating func advertiser(_ address: DeviceAddress) -> UInt32 {
    let (index, isNew) = advertisers.intern(address)
    guard isNew else { return index }
    catalogue.advertisers.append(address)
    addressBeacons.append(Sighting.none)
    namedBeacons.append(Sighting.none)
    return index
  }

  /// The beacon that sent a payload. Telemetry names none, so it belongs to the beacon that the same
  /// address named last; anything else without a name is the beacon of its address.
  private mutating func beacon(
    _ slot: Int, _ advertiser: Int, _ payload: Span<UInt8>
  ) -> UInt32 {
    if case .unknown = payloads[meaning: slot] { payloads[meaning: slot] = meaning(of: payload) }
    switch payloads[meaning: slot] {
    case .beacon(let beacon):
      namedBeacons[advertiser] = beacon
      return beacon
    case .telemetry where namedBeacons[advertiser] != Sighting.none:
      return namedBeacons[advertiser]
    case .telemetry, .other, .unknown:
      if addressBeacons[advertiser] == Sighting.none {
        let name = Array("addr:\(catalogue.advertisers[advertiser])".utf8)
        addressBeacons[advertiser] = beacon(name.span)
      }
      return addressBeacons[advertiser]
    }
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
