import Sightings
import TraceStore

// The tables of a part, numbered as in the new trace.
extension TracePart {
  func addNodes<Sink: SightingSink & ~Copyable>(
    of tables: PartTables, to intake: inout Intake<Sink>, _ receiverName: (Node) -> String
  ) throws {
    let catalogue = reader.catalogue
    for (number, node) in catalogue.beacons.enumerated() {
      guard tables.hasBeacon(number) else {
        beacons.append(Sighting.none)
        continue
      }
      let index = try intake.add(node.id, role: .beacon)
      beacons.append(index)
      intake.update(.beacon, index) { known in Self.complete(&known, with: node) }
    }
    for (number, node) in catalogue.receivers.enumerated() {
      guard tables.hasReceiver(number) else {
        receivers.append(.max)
        continue
      }
      let index = try intake.add(receiverName(node), role: .receiver)
      receivers.append(UInt16(index))
      intake.update(.receiver, index) { known in
        Self.complete(&known, with: node)
        known.radio = node.radio
      }
    }
    for (number, name) in catalogue.traces.enumerated() {
      traces.append(tables.hasTrace(number) ? try intake.trace(named: name) : .max)
    }
    for (number, address) in catalogue.advertisers.enumerated() {
      advertisers.append(
        tables.hasAdvertiser(number) ? intake.number(of: address) : Sighting.none)
    }
  }

  private static func complete(_ known: inout Node, with node: Node) {
    known.kind = node.kind
    if !node.name.isEmpty { known.name = node.name }
    if node.isAnchor { (known.x, known.y, known.z) = (node.x, node.y, node.z) }
    if !node.measuredPower.isNaN { known.measuredPower = node.measuredPower }
  }

  func add<Sink: SightingSink & ~Copyable>(
    _ tables: PartTables, to intake: inout Intake<Sink>, _ known: MergedTables
  ) {
    for (number, var dwell) in reader.catalogue.dwells.enumerated() {
      guard tables.hasDwell(number) else {
        dwells.append(Sighting.none)
        continue
      }
      let receiver = Int(dwell.receiver)
      dwell.start = shifted(dwell.start, by: receiver)
      dwell.end = shifted(dwell.end, by: receiver)
      dwell.beacon = beacons[Int(dwell.beacon)]
      dwell.receiver = receivers[receiver]
      dwell.trace = traces[Int(dwell.trace)]
      dwells.append(known.number(of: dwell) { intake.append(dwell) })
    }
    for var point in tables.truth {
      point.time = shifted(point.time, by: point.role == .receiver ? Int(point.node) : nil)
      point.trace = traces[Int(point.trace)]
      point.node =
        point.role == .receiver
        ? UInt32(receivers[Int(point.node)]) : beacons[Int(point.node)]
      if known.isNew(point) { intake.append(point) }
    }
    for var level in tables.levels {
      level.time = shifted(level.time, by: Int(level.receiver))
      level.beacon = beacons[Int(level.beacon)]
      level.receiver = receivers[Int(level.receiver)]
      level.trace = traces[Int(level.trace)]
      if known.isNew(level) { intake.append(level) }
    }
    for var gap in tables.gaps {
      gap.start = shifted(gap.start, by: Int(gap.receiver))
      gap.end = shifted(gap.end, by: Int(gap.receiver))
      gap.receiver = receivers[Int(gap.receiver)]
      if known.isNew(gap) { intake.append(gap) }
    }
    for rejected in tables.rejected { intake.reject(rejected.reason, count: rejected.count) }
  }
}
