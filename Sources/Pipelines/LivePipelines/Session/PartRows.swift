import Advertising
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
  let track: OffsetTrack
  private var cursor: OffsetTrack
  private var block = SightingColumns(capacity: 0)
  private var blockStart = 0
  private var position = 0

  // The numbers in the merged trace, by the numbers of the part.
  var beacons: [UInt32] = []
  var receivers: [UInt16] = []
  var traces: [UInt16] = []
  var advertisers: [UInt32] = []
  var dwells: [UInt32] = []
  /// By payload, its number in the merged trace after its first row.
  private var payloadNumbers: [UInt32]
  /// By receiver, whether its times are of the machine's clock.
  var isShifted: [Bool] = []

  /// Rows that are in memory at a time.
  private static let blockRows = 8192

  init(_ reader: TraceReader, _ part: SessionPart, number: UInt16) throws {
    self.reader = reader
    self.part = part
    self.number = number
    payloads = reader.payloads()
    payloadNumbers = Array(repeating: Sighting.none, count: payloads.count)
    // The times of a replayed recording are not of the machine's clock, so no offset is of them.
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
          "/session/offsets of \(reader.path) holds a time that clocks do not show: it is damaged; "
            + "leave it out"
        )
      }
      return OffsetTrack.Knot(local: local.partialValue, offset: measured.offset)
    }
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
}
