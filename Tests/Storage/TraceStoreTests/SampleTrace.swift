import Advertising
import Sightings
import TestSupport
import TraceStore

/// A trace with everything in it, and what a reader has to find.
struct SampleTrace {
  static let provenance = Provenance(
    stage: "import", toolVersion: "1.2.3", commandLine: "rssi import Küche.csv -o trace.h5",
    inputs: [
      Provenance.Input(name: "Küche.csv", sha256: String(repeating: "ab", count: 32), bytes: 17),
      Provenance.Input(name: "b.btsnoop", sha256: String(repeating: "cd", count: 32), bytes: 0),
    ])

  var rows = SightingColumns(capacity: 0)
  var payloads: [[UInt8]] = []
  var catalogue = Catalogue()

  /// Writes a trace of random sightings: times go back and forth, some with nanoseconds, some
  /// levels are missing, and every column takes its extremes.
  init(_ path: String, rows count: Int, seed: UInt64 = 7, start: Int64 = 1_700_000_000_123_456_789)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    var builder = TraceBuilder(
      into: Recorder(sink: try TraceSink(path: path, provenance: Self.provenance)), blockRows: 50)
    for name in ["walk 1", "Gang über Hof"] { _ = try builder.trace(named: name) }
    for name in ["phone", "Empfänger"] { _ = try builder.add(name, role: .receiver) }
    let names = ["ibeacon:00112233-4455-6677-8899-AABBCCDDEEFF:1:2", "tag", "", "字"]
    for name in names { _ = try builder.add(name, role: .beacon) }
    builder.update(.beacon, 0) { ($0.x, $0.y, $0.z, $0.measuredPower) = (1.5, -2.25, 0.1, -59) }
    builder.update(.beacon, 1) { $0.name = "Marke \"eins\"" }
    for row in 0..<count {
      let step = Int64.random(in: -2_000_000_000...30_000_000_000, using: &generator)
      let time = start + Int64(row) * 10_000_000_000 + step - (row % 2 == 0 ? step % 1_000 : 0)
      if row % 7 == 3 {
        var report = AdvertisingReport(
          time: time,
          address: DeviceAddress(bits: .random(in: 0..<4, using: &generator), type: UInt8(row % 2)),
          rssi: row % 3 == 0 ? .nan : -77, eventType: .random(in: 0...0x1F, using: &generator))
        report.channel = 37
        report.secondaryPHY = 2
        report.sid = 3
        report.txPower = -128
        report.dataStatus = 1
        let payload = (0..<Int.random(in: 0...4, using: &generator)).map { _ in UInt8(row % 251) }
        try builder.receive(report, payload: payload.span)
        continue
      }
      var sighting = Sighting(
        time: time, beacon: .random(in: 0..<4, using: &generator),
        receiver: .random(in: 0..<2, using: &generator),
        trace: .random(in: 0..<2, using: &generator),
        rssi: row % 5 == 0 ? .nan : .random(in: -127...20, using: &generator))
      if row % 4 == 0 { sighting.channel = UInt8(row % 40) }
      if row % 6 == 0 {
        sighting.stay = builder.stay(
          of: sighting, distance: Double(row / 60) / 3, pose: "in der Hand")
      }
      try builder.append(sighting)
      builder.append(
        TruthPoint(
          time: time, role: row % 2 == 0 ? .receiver : .beacon, node: UInt32(row % 2),
          trace: UInt16(row % 2), x: Double(row) / 7, y: -1e-9, z: row % 3 == 0 ? .nan : 2))
      builder.append(
        TruthLevel(
          time: time, beacon: sighting.beacon, receiver: sighting.receiver, trace: sighting.trace,
          rssi: -60 - Float(row) / 7))
    }
    builder.reject("bad-time", count: 5_000_000_000)
    builder.reject("bad-rssi")
    catalogue = try builder.complete()
    let recorder = builder.takeSink()
    (rows, payloads) = (recorder.rows, recorder.payloads)
    try recorder.finish(catalogue)
  }
}

/// Passes sightings on to a file and remembers them.
private struct Recorder: SightingSink, ~Copyable {
  var sink: TraceSink
  var rows = SightingColumns(capacity: 0)
  var payloads: [[UInt8]] = []

  init(sink: consuming TraceSink) { self.sink = sink }

  mutating func append(
    _ block: SightingColumns, payloads new: NewPayloads, catalogue: Catalogue
  ) throws {
    try sink.append(block, payloads: new, catalogue: catalogue)
    rows.append(contentsOf: block)
    var rest = new.bytes[...]
    for length in new.lengths {
      payloads.append(Array(rest.prefix(Int(length))))
      rest.removeFirst(Int(length))
    }
  }

  consuming func finish(_ catalogue: Catalogue) throws { try sink.finish(catalogue) }
}

extension SightingColumns {
  mutating func append(contentsOf other: borrowing SightingColumns) {
    time += other.time
    beacon += other.beacon
    advertiser += other.advertiser
    receiver += other.receiver
    trace += other.trace
    rssi += other.rssi
    eventType += other.eventType
    channel += other.channel
    primaryPHY += other.primaryPHY
    secondaryPHY += other.secondaryPHY
    sid += other.sid
    txPower += other.txPower
    dataStatus += other.dataStatus
    payload += other.payload
    stay += other.stay
  }

  /// Every column as integers, levels by their bits, so that NaN equals NaN.
  var numbers: [String: [Int64]] {
    [
      "time": time, "beacon": beacon.map(Int64.init), "advertiser": advertiser.map(Int64.init),
      "receiver": receiver.map(Int64.init), "trace": trace.map(Int64.init),
      "rssi": rssi.map { $0.isNaN ? Int64.max : Int64($0.bitPattern) },
      "event_type": eventType.map(Int64.init), "channel": channel.map(Int64.init),
      "primary_phy": primaryPHY.map(Int64.init), "secondary_phy": secondaryPHY.map(Int64.init),
      "sid": sid.map(Int64.init), "tx_power": txPower.map(Int64.init),
      "data_status": dataStatus.map(Int64.init), "payload": payload.map(Int64.init),
      "dwell": stay.map(Int64.init),
    ]
  }
}

extension SightingFields {
  static let everything: SightingFields = [
    .time, .link, .rssi, .stay, .payload, .channel, .radio,
  ]
}

extension TraceReader {
  /// All sightings in one block.
  func sightings(filtered: String? = nil, rows: Int = 65_536) throws -> SightingColumns {
    var all = SightingColumns(capacity: 0)
    try forEachBlock(.everything, filtered: filtered, rows: rows) { all.append(contentsOf: $0) }
    return all
  }
}
