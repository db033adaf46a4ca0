import Advertising
package import Sightings
import Support
package import TraceStore

/// The rows of a trace, one after the other, numbered as in the merged trace.
package final class TracePart {
  /// A row, and its time by the clock of the recording.
  package struct Row {
    package var local: Int64
    package var sighting: Sighting
  }

  package let reader: TraceReader
  /// The next row; nil after the last.
  package private(set) var head: Row?
  private let payloads: Payloads
  private let takes: PartSelection?
  private let clock: PartClock
  private var cursor: OffsetTrack
  private let filters: [String]
  private var block = SightingColumns(capacity: 0)
  /// The selected rows of the block, and by filter the levels of all rows.
  private var rows: [Int] = []
  private var levels: [FilteredLevels] = []
  private var blockEnd = 0
  private var position = 0
  /// The number of rows so far, the next one included.
  private(set) var count = 0

  // The numbers in the new trace, by the numbers of this one.
  var beacons: [UInt32] = []
  var receivers: [UInt16] = []
  var traces: [UInt16] = []
  var floors: [UInt16] = []
  var advertisers: [UInt32] = []
  var stays: [UInt32] = []
  /// The number of each payload in the new trace, after its first row.
  private var payloadNumbers: [UInt32]

  /// The number of rows in memory.
  private static let blockRows = 8192

  /// - Parameters:
  ///   - clock: the offset of the trace's clock.
  ///   - selection: the selected content; nil = everything.
  ///   - filters: the filters whose levels are taken with the rows.
  package init(
    _ reader: TraceReader, clock: PartClock = PartClock(), selection: PartSelection? = nil,
    filters: [String] = []
  ) {
    self.reader = reader
    self.clock = clock
    self.filters = filters
    takes = selection
    cursor = clock.track
    payloads = reader.payloads()
    payloadNumbers = Array(repeating: Sighting.none, count: payloads.count)
  }

  /// Adds the tables to the new trace, and reads the first row.
  ///
  /// - Parameters:
  ///   - known: the rows that other parts added, which are not added again.
  ///   - traceName: the name of the trace of all rows in the new trace; nil = as they are.
  ///   - receiverName: returns the name of a receiver in the new trace.
  package func begin<Sink: SightingSink & ~Copyable>(
    _ builder: inout TraceBuilder<Sink>, known: MergedTables = MergedTables(),
    traceName: String? = nil, receiverName: (Node) -> String = { $0.id }
  ) throws {
    let tables = PartTables(reader.catalogue, takes)
    try addNodes(of: tables, to: &builder, traceName, receiverName)
    add(tables, to: &builder, known)
    try advance(&builder)
  }

  /// The readings of the machine's clock during the selected times.
  var clockReadings: [ClockReading] { PartTables(reader.catalogue, takes).clock }

  /// Returns a time as the new trace has it.
  ///
  /// - Parameter receiver: the receiver whose clock it is of; nil = the machine's.
  package func shifted(_ time: Int64, by receiver: Int?) -> Int64 {
    guard receiver.map({ clock.isOf(reader.catalogue.receivers[$0]) }) ?? clock.isMachines else {
      return time
    }
    var track = clock.track
    return time &+ track.offset(at: time)
  }

  /// Takes the next row.
  package func advance<Sink: SightingSink & ~Copyable>(_ builder: inout TraceBuilder<Sink>) throws {
    while position == rows.count {
      guard try readBlock() else {
        head = nil
        return
      }
    }
    head = try row(rows[position], &builder)
    position += 1
    count += 1
  }

  /// Returns the levels of a filter for the next row.
  func level(ofFilter index: Int) -> (rssi: Float, variance: Float) {
    let row = rows[position - 1]
    return (levels[index].rssi[row], levels[index].variance[row])
  }

  private func readBlock() throws -> Bool {
    let range = blockEnd..<min(blockEnd + Self.blockRows, reader.count)
    guard !range.isEmpty else { return false }
    try reader.read(range, into: &block)
    levels = try filters.map { try reader.filteredLevels($0, rows: range) }
    rows = takes?.rows.rows(of: block, in: reader.catalogue) ?? Array(0..<block.count)
    (blockEnd, position) = (range.upperBound, 0)
    return true
  }

  private func row<Sink: SightingSink & ~Copyable>(
    _ row: Int, _ builder: inout TraceBuilder<Sink>
  ) throws -> Row {
    let local = block.time[row]
    let receiver = Int(block.receiver[row])
    let isShifted = clock.isOf(reader.catalogue.receivers[receiver])
    var sighting = block[row]
    if isShifted { sighting.time = local &+ cursor.offset(at: local) }
    sighting.beacon = beacons[Int(sighting.beacon)]
    sighting.receiver = receivers[receiver]
    sighting.trace = traces[Int(sighting.trace)]
    sighting.advertiser = entry(sighting.advertiser, of: advertisers)
    sighting.payload = try payload(sighting.payload, &builder)
    sighting.stay = entry(sighting.stay, of: stays)
    return Row(local: local, sighting: sighting)
  }

  private func entry(_ index: UInt32, of numbers: [UInt32]) -> UInt32 {
    Int(index) < numbers.count ? numbers[Int(index)] : Sighting.none
  }

  private func payload<Sink: SightingSink & ~Copyable>(
    _ index: UInt32, _ builder: inout TraceBuilder<Sink>
  ) throws -> UInt32 {
    guard Int(index) < payloadNumbers.count else { return Sighting.none }
    if payloadNumbers[Int(index)] == Sighting.none {
      let bytes = Array(try payloads[index])
      payloadNumbers[Int(index)] = builder.number(of: bytes.span)
    }
    return payloadNumbers[Int(index)]
  }
}

// The tables of a part, numbered as in the new trace.
extension TracePart {
  func addNodes<Sink: SightingSink & ~Copyable>(
    of tables: PartTables, to builder: inout TraceBuilder<Sink>, _ traceName: String?,
    _ receiverName: (Node) -> String
  ) throws {
    let catalogue = reader.catalogue
    for floor in catalogue.floors { floors.append(try builder.add(floor)) }
    for (number, node) in catalogue.beacons.enumerated() {
      guard tables.hasBeacon(number) else {
        beacons.append(Sighting.none)
        continue
      }
      let index = try builder.add(node.id, role: .beacon)
      beacons.append(index)
      builder.update(.beacon, index) { known in complete(&known, with: node) }
    }
    for (number, node) in catalogue.receivers.enumerated() {
      guard tables.hasReceiver(number) else {
        receivers.append(.max)
        continue
      }
      let index = try builder.add(receiverName(node), role: .receiver)
      receivers.append(UInt16(index))
      builder.update(.receiver, index) { known in
        complete(&known, with: node)
        known.radio = node.radio
      }
    }
    for (number, name) in catalogue.traces.enumerated() {
      traces.append(tables.hasTrace(number) ? try builder.trace(named: traceName ?? name) : .max)
      guard tables.hasTrace(number), let floor = catalogue.traceFloors[UInt16(number)] else {
        continue
      }
      builder.setFloor(floors[Int(floor)], ofTrace: traces[number])
    }
    for (number, address) in catalogue.advertisers.enumerated() {
      advertisers.append(
        tables.hasAdvertiser(number) ? builder.number(of: address) : Sighting.none)
    }
  }

  private func complete(_ known: inout Node, with node: Node) {
    known.kind = node.kind
    if !node.name.isEmpty { known.name = node.name }
    if node.isAnchor { (known.x, known.y, known.z) = (node.x, node.y, node.z) }
    if let floor = node.floor { known.floor = floors[Int(floor)] }
    if !node.measuredPower.isNaN { known.measuredPower = node.measuredPower }
  }

  func add<Sink: SightingSink & ~Copyable>(
    _ tables: PartTables, to builder: inout TraceBuilder<Sink>, _ known: MergedTables
  ) {
    for (number, var stay) in reader.catalogue.stays.enumerated() {
      guard tables.hasStay(number) else {
        stays.append(Sighting.none)
        continue
      }
      let receiver = Int(stay.receiver)
      stay.start = shifted(stay.start, by: receiver)
      stay.end = shifted(stay.end, by: receiver)
      stay.beacon = beacons[Int(stay.beacon)]
      stay.receiver = receivers[receiver]
      stay.trace = traces[Int(stay.trace)]
      stays.append(known.number(of: stay) { builder.append(stay) })
    }
    for var point in tables.truth {
      renumber(&point)
      point.floor = point.floor.map { floors[Int($0)] }
      if known.isNew(point) { builder.append(point) }
    }
    for var mark in tables.rooms {
      renumber(&mark)
      if known.isNew(mark) { builder.append(mark) }
    }
    for var level in tables.levels {
      level.time = shifted(level.time, by: Int(level.receiver))
      level.beacon = beacons[Int(level.beacon)]
      level.receiver = receivers[Int(level.receiver)]
      level.trace = traces[Int(level.trace)]
      if known.isNew(level) { builder.append(level) }
    }
    for var gap in tables.gaps {
      gap.start = shifted(gap.start, by: Int(gap.receiver))
      gap.end = shifted(gap.end, by: Int(gap.receiver))
      gap.receiver = receivers[Int(gap.receiver)]
      if known.isNew(gap) { builder.append(gap) }
    }
    for rejected in tables.rejected { builder.reject(rejected.reason, count: rejected.count) }
  }

  private func renumber(_ row: inout some NodeTruth) {
    row.time = shifted(row.time, by: row.role == .receiver ? Int(row.node) : nil)
    row.trace = traces[Int(row.trace)]
    row.node =
      row.role == .receiver ? UInt32(receivers[Int(row.node)]) : beacons[Int(row.node)]
  }
}
