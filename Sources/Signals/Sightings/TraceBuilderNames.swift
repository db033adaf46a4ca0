package import Advertising
package import Support

// Names from tables and streams.
extension TraceBuilder where Sink: ~Copyable {
  /// Returns the number of a beacon, whose identity must fit a trace, see `TextLimit`.
  package mutating func beacon(_ utf8: Span<UInt8>) -> UInt32 {
    let (number, newName) = beacons.intern(utf8)
    if let id = newName {
      catalogue.beacons.append(Node(id: id, kind: BeaconKind(identity: id).rawValue))
    }
    return number
  }

  /// - Throws: `RSSIError` beyond 65,535 receivers, and for a name that a trace cannot store.
  package mutating func receiver(_ utf8: Span<UInt8>) throws(RSSIError) -> UInt16 {
    let known = receivers.count
    let index = try Self.number(
      of: utf8, in: &receivers, .nodeIdentity, "name of a receiver", orThrow: .tooManyReceivers)
    if receivers.count > known {
      catalogue.receivers.append(Node(id: receivers.names[known], kind: "receiver"))
    }
    return index
  }

  /// - Throws: `RSSIError` beyond 65,535 traces, and for a name that a trace file cannot store.
  package mutating func trace(_ utf8: Span<UInt8>) throws(RSSIError) -> UInt16 {
    let known = traces.count
    let index = try Self.number(
      of: utf8, in: &traces, .trace, "name of a trace", orThrow: .tooManyTraces)
    if traces.count > known { catalogue.traces.append(traces.names[known]) }
    return index
  }

  /// Returns the number of a name, which is added if it is new and fits.
  private static func number(
    of utf8: Span<UInt8>, in names: inout NameTable, _ limit: TextLimit, _ what: String,
    orThrow tooMany: RSSIError
  ) throws(RSSIError) -> UInt16 {
    if let known = names.find(utf8) { return UInt16(known) }
    guard names.count < UInt16.max else { throw tooMany }
    if !limit.admits(utf8) {
      try limit.require(String(decoding: utf8.indices.map { utf8[$0] }, as: UTF8.self), what)
    }
    return UInt16(names.intern(utf8).index)
  }

  /// - Throws: `RSSIError` beyond 65,535 traces.
  package mutating func trace(named name: String) throws(RSSIError) -> UInt16 {
    let bytes = Array(name.utf8)
    return try trace(bytes.span)
  }

  /// Returns the stay of a reading at a known distance.
  package mutating func stay(of sighting: Sighting, distance: Double, pose: String = "") -> UInt32 {
    openStays.index(of: sighting, distance: distance, pose: pose, in: &catalogue.stays)
  }

  /// Returns the node of a name and a role, added if it is new.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func add(_ name: String, role: NodeRole) throws(RSSIError) -> UInt32 {
    let bytes = Array(name.utf8)
    declare(name, role: role)
    switch role {
    case .beacon: return beacon(bytes.span)
    case .receiver: return UInt32(try receiver(bytes.span))
    }
  }

  /// Records the role of a name in a table of nodes.
  package mutating func declare(_ name: String, role: NodeRole) { declaredRoles[name] = role }

  /// Returns the node of a name: with the role in a table of nodes, else beacons first.
  package func node(_ name: String) -> (role: NodeRole, index: UInt32)? {
    if declaredRoles[name] == .receiver, let index = receivers.find(name) {
      return (.receiver, UInt32(index))
    }
    if let number = knownBeacon(name) { return (.beacon, number) }
    if let index = receivers.find(name) { return (.receiver, UInt32(index)) }
    return nil
  }

  /// Returns the beacon of a name, or `nil` if there is none.
  package func knownBeacon(_ utf8: Span<UInt8>) -> UInt32? { beacons.find(utf8) }

  private func knownBeacon(_ name: String) -> UInt32? {
    let bytes = Array(name.utf8)
    return knownBeacon(bytes.span)
  }

  /// Returns the receiver of a name, or `nil` if there is none.
  package func knownReceiver(_ utf8: Span<UInt8>) -> UInt16? {
    receivers.find(utf8).map(UInt16.init)
  }

  /// Changes the properties of a node.
  package mutating func update(_ role: NodeRole, _ index: UInt32, _ change: (inout Node) -> Void) {
    switch role {
    case .beacon:
      change(&catalogue.beacons[Int(index)])
      catalogue.revise(Int(index))
    case .receiver: change(&catalogue.receivers[Int(index)])
    }
  }

  /// Adds a true mean level of a link, whose indices came from this builder.
  package mutating func append(_ level: TruthLevel) { catalogue.levels.append(level) }

  /// Adds the room of a node from a time on.
  package mutating func append(_ mark: RoomMark) { catalogue.rooms.append(mark) }

  /// Adds a reference position; for a node that stands still only the first and the last are kept.
  package mutating func append(_ point: TruthPoint) {
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

// Floors.
extension TraceBuilder where Sink: ~Copyable {
  /// Returns the number of a floor, which is added if it is new.
  ///
  /// - Throws: `RSSIError` beyond 65,535 floors, and for a name that a trace file cannot store.
  package mutating func floor(_ utf8: Span<UInt8>) throws(RSSIError) -> UInt16 {
    let known = floors.count
    let index = try Self.number(
      of: utf8, in: &floors, .floor, "name of a floor", orThrow: .tooManyFloors)
    if floors.count > known { catalogue.floors.append(Floor(name: floors.names[known])) }
    return index
  }

  /// Returns the number of a floor, or `nil` for an empty name.
  package mutating func floor(named name: String) throws(RSSIError) -> UInt16? {
    let bytes = Array(name.utf8)
    return bytes.isEmpty ? nil : try floor(bytes.span)
  }

  /// Returns the number of a described floor, whose known values complete those of its name.
  package mutating func add(_ floor: Floor) throws(RSSIError) -> UInt16 {
    let bytes = Array(floor.name.utf8)
    let index = try self.floor(bytes.span)
    catalogue.floors[Int(index)].complete(with: floor)
    return index
  }

  /// Records that sightings of a trace are on a floor.
  package mutating func setFloor(_ floor: UInt16, ofTrace trace: UInt16) {
    guard let known = catalogue.traceFloors[trace], known != floor else {
      catalogue.traceFloors[trace] = floor
      return
    }
    secondFloors[trace] = secondFloors[trace] ?? floor
  }

  /// Ends the input of floors: a trace whose truth has floors needs no floor of its own, and any
  /// other is on one.
  ///
  /// - Throws: `.badInput` for a trace on two floors whose truth has no floors.
  package mutating func settleFloors() throws(RSSIError) {
    let withTruth = Set(catalogue.truth.lazy.filter { $0.floor != nil }.map(\.trace))
    for (trace, second) in secondFloors.sorted(by: { $0.key < $1.key }) {
      let first = catalogue.traceFloors.removeValue(forKey: trace)
      guard !withTruth.contains(trace) else { continue }
      throw RSSIError(
        .badInput,
        "trace \"\(catalogue.traces[Int(trace)])\" is on floor "
          + "\"\(catalogue.floorName(first) ?? "")\" and on floor "
          + "\"\(catalogue.floorName(second) ?? "")\"",
        advice: "give each floor a trace of its own, or give a table of `truth` with a column floor"
      )
    }
    secondFloors.removeAll()
  }
}

extension RSSIError {
  fileprivate static let tooManyFloors = RSSIError(
    .badInput, "more than 65,535 floors in one trace file",
    advice: "check the column with the names of floors")

  package static let tooManyReceivers = RSSIError(
    .badInput, "more than 65,535 receivers in one trace file",
    advice: "import them into several files")

  package static let tooManyTraces = RSSIError(
    .badInput, "more than 65,535 traces in one trace file",
    advice: "import them into several files")
}

// For the parts of a session, and rows that are already numbered.
extension TraceBuilder where Sink: ~Copyable {
  package mutating func append(_ part: SessionPart) { catalogue.parts.append(part) }

  package mutating func append(_ offset: SessionOffset) { catalogue.offsets.append(offset) }

  package mutating func append(_ reading: PartClockReading) { catalogue.partClocks.append(reading) }

  /// Adds a stay whose indices came from this builder, and returns its index.
  package mutating func append(_ stay: DistanceStay) -> UInt32 {
    catalogue.stays.append(stay)
    return UInt32(catalogue.stays.count - 1)
  }

  /// Returns the number of an address, which is added if it is new.
  package mutating func number(of address: DeviceAddress) -> UInt32 { advertiser(address) }

  /// Returns the number of advertising data, which are added if they are new.
  package mutating func number(of payload: Span<UInt8>) -> UInt32 {
    let slot = payloads.intern(payload)
    return payloads.number(at: slot)
  }
}

extension BeaconKind {
  /// Creates the kind of a written identity, such as `ibeacon:…`; `other` for any other name.
  package init(identity: String) {
    let prefix = identity.prefix { $0 != ":" }
    self = prefix.count < identity.count ? BeaconKind(rawValue: String(prefix)) ?? .other : .other
  }
}
