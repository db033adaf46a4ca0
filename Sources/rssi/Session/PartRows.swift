import Advertising
import LivePipelines
import Sightings
import Support
import TraceStore

/// The rows of a part, one after the other, numbered as in the merged trace.
final class PartRows {
  /// A row, and its time by the clock that the part was recorded by.
  struct Row {
    var local: Int64
    var sighting: Sighting
  }

  let reader: TraceReader
  let part: SessionPart
  /// Its row in the merged table of parts.
  let number: UInt16
  /// The next row; nil after the last.
  private(set) var head: Row?
  private let payloads: Payloads
  private let track: OffsetTrack
  private var cursor: OffsetTrack
  private var block = SightingColumns(capacity: 0)
  private var blockStart = 0
  private var position = 0

  private var beacons: [UInt32] = []
  private var receivers: [UInt16] = []
  private var traces: [UInt16] = []
  private var advertisers: [UInt32] = []
  private var dwells: [UInt32] = []
  /// By payload, its number in the merged trace once it was met.
  private var payloadNumbers: [UInt32]
  /// By receiver, whether its times are of the machine's clock.
  private var isShifted: [Bool] = []

  /// Rows that are in memory at a time.
  private static let blockRows = 8192

  init(_ reader: TraceReader, _ part: SessionPart, number: UInt16) throws {
    self.reader = reader
    self.part = part
    self.number = number
    payloads = reader.payloads()
    payloadNumbers = Array(repeating: Sighting.none, count: payloads.count)
    // A recording that was played again has times of its own, which no machine's offset is about.
    track = OffsetTrack(part.isMachineClock ? try Self.knots(of: reader) : [])
    cursor = track
  }

  /// What was measured, by the clock that was compared.
  ///
  /// A clock may be decades off before a time service sets it, but no clock counts beyond 2^62 ns.
  static func knots(of reader: TraceReader) throws -> [OffsetTrack.Knot] {
    try reader.catalogue.offsets.map { measured in
      let local = measured.time.subtractingReportingOverflow(measured.offset)
      guard !local.overflow, local.partialValue.magnitude < 1 << 62 else {
        throw RSSIError(
          .badInput,
          "/session/offsets of \(reader.path) holds a time that no clock shows: it is damaged; "
            + "leave it out"
        )
      }
      return OffsetTrack.Knot(local: local.partialValue, offset: measured.offset)
    }
  }

  /// Tells the merged trace what this part knows, and takes the first row.
  func begin<Sink: SightingSink & ~Copyable>(_ intake: inout Intake<Sink>) throws {
    try addNodes(to: &intake)
    traces = try reader.catalogue.traces.map { try intake.trace(named: $0) }
    advertisers = reader.catalogue.advertisers.map { intake.number(of: $0) }
    addTables(to: &intake)
    try advance(&intake)
  }

  /// Takes the next row.
  func advance<Sink: SightingSink & ~Copyable>(_ intake: inout Intake<Sink>) throws {
    if position == block.count {
      blockStart += block.count
      let end = min(blockStart + Self.blockRows, reader.count)
      guard blockStart < end else {
        head = nil
        return
      }
      try reader.read(blockStart..<end, into: &block)
      position = 0
    }
    head = try row(position, &intake)
    position += 1
  }

  private func row<Sink: SightingSink & ~Copyable>(
    _ row: Int, _ intake: inout Intake<Sink>
  ) throws -> Row {
    let local = block.time[row]
    let receiver = Int(block.receiver[row])
    var sighting = Sighting(
      time: isShifted[receiver] ? local &+ cursor.offset(at: local) : local,
      beacon: beacons[Int(block.beacon[row])], receiver: receivers[receiver],
      trace: traces[Int(block.trace[row])], rssi: block.rssi[row])
    sighting.advertiser = entry(block.advertiser[row], of: advertisers)
    sighting.eventType = block.eventType[row]
    sighting.channel = block.channel[row]
    sighting.primaryPHY = block.primaryPHY[row]
    sighting.secondaryPHY = block.secondaryPHY[row]
    sighting.sid = block.sid[row]
    sighting.txPower = block.txPower[row]
    sighting.dataStatus = block.dataStatus[row]
    sighting.payload = try payload(block.payload[row], &intake)
    sighting.dwell = entry(block.dwell[row], of: dwells)
    return Row(local: local, sighting: sighting)
  }

  private func entry(_ index: UInt32, of numbers: [UInt32]) -> UInt32 {
    Int(index) < numbers.count ? numbers[Int(index)] : Sighting.none
  }

  private func payload<Sink: SightingSink & ~Copyable>(
    _ index: UInt32, _ intake: inout Intake<Sink>
  ) throws -> UInt32 {
    guard Int(index) < payloadNumbers.count else { return Sighting.none }
    if payloadNumbers[Int(index)] == Sighting.none {
      let bytes = Array(try payloads[index])
      payloadNumbers[Int(index)] = intake.number(of: bytes.span)
    }
    return payloadNumbers[Int(index)]
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
      // Gateways stamp by clocks of their own.
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
