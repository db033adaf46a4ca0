import Sightings
import Support

// The true places in rows of a table of sightings, and the floors of their traces.
extension SightingRows {
  /// Takes the true place of the node that the row is of, or else the floor of its trace.
  @inline(__always)
  mutating func takeWhereabouts(_ row: borrowing TableRow, _ new: Row) -> RowProblem? {
    var floor = NumberedNames.noName
    if columns.floor != nil, !row.isMissing(columns.floor) {
      guard row.admits(columns.floor, .floor), let number = floors.number(row, columns.floor)
      else { return .badName }
      floor = number
    }
    if let (x, y, z) = columns.place, !(row.isEmpty(x) && row.isEmpty(y)) {
      return take(row, place: (x, y, z), floor, new)
    }
    if floor != NumberedNames.noName, stops.last.map({ $0 == (new.trace, floor) }) != true {
      stops.append((new.trace, floor))
    }
    return nil
  }

  private mutating func take(
    _ row: borrowing TableRow, place: (x: Int, y: Int, z: Int?), _ floor: UInt32, _ new: Row
  ) -> RowProblem? {
    let (x, y, z) = place
    guard let x = row.double(x), let y = row.double(y),
      let z = z == nil || row.isEmpty(z) ? .nan : row.double(z),
      Node.coordinates.contains(x), Node.coordinates.contains(y),
      z.isNaN || Node.coordinates.contains(z)
    else { return .badPosition }
    let node = columns.isOfReceivers ? new.beacon : new.receiver
    places.append(
      Place(time: new.time, trace: new.trace, node: node, floor: floor, x: x, y: y, z: z))
    return nil
  }

  /// Passes the true places on. For rows without times a node stands at each place for a while.
  mutating func passPlaces<Sink: SightingSink & ~Copyable>(
    to builder: inout TraceBuilder<Sink>, _ fileTrace: UInt16?
  ) throws {
    let role = columns.isOfReceivers ? NodeRole.beacon : .receiver
    for place in places {
      let node: UInt32
      switch role {
      case .beacon:
        beacons.join(place.node) { builder.beacon($0) }
        node = beacons[place.node]
      case .receiver:
        try receivers.join(place.node) { UInt32(try builder.receiver($0)) }
        node = receivers[place.node]
      }
      try traces.join(place.trace) { UInt32(try builder.trace($0)) }
      try floors.join(place.floor) { UInt32(try builder.floor($0)) }
      var point = TruthPoint(
        time: place.time, role: role, node: node,
        trace: fileTrace ?? UInt16(traces[place.trace]),
        floor: place.floor == NumberedNames.noName ? nil : UInt16(floors[place.floor]),
        x: place.x, y: place.y, z: place.z)
      builder.append(point)
      guard columns.time == nil else { continue }
      point.time += RowClock.stay
      builder.append(point)
    }
  }

  /// Passes the floors of traces on.
  mutating func passFloors<Sink: SightingSink & ~Copyable>(
    to builder: inout TraceBuilder<Sink>, _ fileTrace: UInt16?
  ) throws {
    for stop in stops {
      try traces.join(stop.trace) { UInt32(try builder.trace($0)) }
      try floors.join(stop.floor) { UInt32(try builder.floor($0)) }
      builder.setFloor(
        UInt16(floors[stop.floor]), ofTrace: fileTrace ?? UInt16(traces[stop.trace]))
    }
  }
}
