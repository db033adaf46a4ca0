import Sightings
import TraceStore

// The tables of a part, numbered as in the merged trace.
extension PartRows {
  /// Adds the part's tables to the merged trace, and reads the first row.
  func begin<Sink: SightingSink & ~Copyable>(_ intake: inout Intake<Sink>) throws {
    try addNodes(to: &intake)
    traces = try reader.catalogue.traces.map { try intake.trace(named: $0) }
    advertisers = reader.catalogue.advertisers.map { intake.number(of: $0) }
    addTables(to: &intake)
    try advance(&intake)
  }

  private func addNodes<Sink: SightingSink & ~Copyable>(to intake: inout Intake<Sink>) throws {
    for node in reader.catalogue.beacons {
      let index = try intake.add(node.id, role: .beacon)
      beacons.append(index)
      intake.update(.beacon, index) { known in Self.complete(&known, with: node) }
    }
    for node in reader.catalogue.receivers {
      let index = try intake.add(name(of: node), role: .receiver)
      receivers.append(UInt16(index))
      intake.update(.receiver, index) { known in
        Self.complete(&known, with: node)
        known.radio = node.radio
      }
      // Gateways stamp by other clocks.
      let foreign: [Radio.TimeKind] = [.gatewaySeconds, .gatewayMilliseconds, .recorded]
      isShifted.append(part.isMachineClock && !foreign.contains(node.radio.timeKind))
    }
  }

  /// A receiver's name, the member's before it, so that two called hci0 are two.
  private func name(of receiver: Node) -> String {
    receiver.id == part.member || receiver.id.hasPrefix(part.member + "/")
      ? receiver.id : "\(part.member)/\(receiver.id)"
  }

  private static func complete(_ known: inout Node, with node: Node) {
    known.kind = node.kind
    if !node.name.isEmpty { known.name = node.name }
    if node.isAnchor { (known.x, known.y, known.z) = (node.x, node.y, node.z) }
    if !node.measuredPower.isNaN { known.measuredPower = node.measuredPower }
  }

  private func addTables<Sink: SightingSink & ~Copyable>(to intake: inout Intake<Sink>) {
    let catalogue = reader.catalogue
    func shifted(_ time: Int64, by receiver: Int?) -> Int64 {
      guard receiver.map({ isShifted[$0] }) ?? part.isMachineClock else { return time }
      var track = track
      return time &+ track.offset(at: time)
    }
    for var dwell in catalogue.dwells {
      let receiver = Int(dwell.receiver)
      dwell.start = shifted(dwell.start, by: receiver)
      dwell.end = shifted(dwell.end, by: receiver)
      dwell.beacon = beacons[Int(dwell.beacon)]
      dwell.receiver = receivers[receiver]
      dwell.trace = traces[Int(dwell.trace)]
      dwells.append(intake.append(dwell))
    }
    for var point in catalogue.truth {
      point.time = shifted(point.time, by: point.role == .receiver ? Int(point.node) : nil)
      point.trace = traces[Int(point.trace)]
      point.node =
        point.role == .receiver
        ? UInt32(receivers[Int(point.node)]) : beacons[Int(point.node)]
      intake.append(point)
    }
    for var level in catalogue.levels {
      level.time = shifted(level.time, by: Int(level.receiver))
      level.beacon = beacons[Int(level.beacon)]
      level.receiver = receivers[Int(level.receiver)]
      level.trace = traces[Int(level.trace)]
      intake.append(level)
    }
    for var gap in catalogue.gaps {
      gap.start = shifted(gap.start, by: Int(gap.receiver))
      gap.end = shifted(gap.end, by: Int(gap.receiver))
      gap.receiver = receivers[Int(gap.receiver)]
      intake.append(gap)
    }
    for rejected in catalogue.rejected { intake.reject(rejected.reason, count: rejected.count) }
    for var offset in catalogue.offsets {
      offset.part = number
      intake.append(offset)
    }
    for var reading in catalogue.clock {
      reading.time = shifted(reading.time, by: nil)
      intake.append(PartClockReading(part: number, reading: reading))
    }
    intake.append(part)
  }
}
