internal import CHDF5
internal import Sightings
import Support

/// `/sightings`: one row an advertising report.
struct SightingTable {
  let table: Table
  let time: Column<Double>
  let beacon: Column<UInt32>
  let advertiser: Column<UInt32>
  let receiver: Column<UInt16>
  let trace: Column<UInt16>
  let rssi: Column<Float>
  let eventType: Column<UInt16>
  let channel: Column<UInt8>
  let primaryPHY: Column<UInt8>
  let secondaryPHY: Column<UInt8>
  let sid: Column<UInt8>
  let txPower: Column<Int8>
  let dataStatus: Column<UInt8>
  let payload: Column<UInt32>
  let dwell: Column<UInt32>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    // A number of rows that a file can hold; columns are read in blocks, whatever their length.
    table = try Table(
      "sightings", in: file, mode: mode, path: path, isLong: true, limit: 1 << 48)
    time = try table.column(
      "time_s", Double.self, units: timeUnits, "When the host received the report")
    beacon = try table.column("beacon", UInt32.self, units: "1", "Row of /beacons")
    advertiser = try table.column(
      "advertiser", UInt32.self, units: "1", missing: Sighting.none,
      "Row of /advertisers; 4294967295 = not known")
    receiver = try table.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    trace = try table.column("trace", UInt16.self, units: "1", "Row of /traces")
    rssi = try table.column(
      "rssi_dbm", Float.self, units: "dBm", missing: .nan, "Received power; NaN = not available")
    eventType = try table.column(
      "event_type", UInt16.self, units: "1", missing: .max,
      "Bits: 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy; 65535 = not known")
    channel = try table.column(
      "channel", UInt8.self, units: "1", missing: .max, "Radio channel index; 255 = not known")
    primaryPHY = try table.column(
      "primary_phy", UInt8.self, units: "1", missing: 0, "0 not known, 1 LE 1M, 3 LE Coded")
    secondaryPHY = try table.column(
      "secondary_phy", UInt8.self, units: "1", missing: 0,
      "0 none, 1 LE 1M, 2 LE 2M, 3 LE Coded")
    sid = try table.column(
      "sid", UInt8.self, units: "1", missing: .max, "Advertising set identifier; 255 = none")
    txPower = try table.column(
      "tx_power_dbm", Int8.self, units: "dBm", missing: .max,
      "Power stated in the header; 127 = not stated")
    dataStatus = try table.column(
      "data_status", UInt8.self, units: "1", missing: 0,
      "0 complete, 1 the rest never came, 2 truncated, 3 wrong checksum")
    payload = try table.column(
      "payload", UInt32.self, units: "1", missing: Sighting.none,
      "Row of /payloads; 4294967295 = none")
    dwell = try table.column(
      "dwell", UInt32.self, units: "1", missing: Sighting.none,
      "Row of /truth/distances; 4294967295 = distance not known")
    try table.alignToFirstColumn()
  }

  func append(_ rows: SightingColumns, times: [Double]) throws(RSSIError) {
    try TraceStore.append([
      receiver.appending(rows.receiver),
      trace.appending(rows.trace),
      eventType.appending(rows.eventType),
      channel.appending(rows.channel),
      primaryPHY.appending(rows.primaryPHY),
      secondaryPHY.appending(rows.secondaryPHY),
      sid.appending(rows.sid),
      txPower.appending(rows.txPower),
      dataStatus.appending(rows.dataStatus),
      dwell.appending(rows.dwell),
      beacon.appending(rows.beacon),
      advertiser.appending(rows.advertiser, twin: (beacon, rows.beacon)),
      payload.appending(rows.payload, twin: (advertiser, rows.advertiser)),
      rssi.appending(rows.rssi),
      // Last, so that a reader of a live file finds every other column at least as long.
      time.appending(times),
    ])
  }

  /// The first row that points to what the file does not have; nil if there is none.
  func firstUnknown(_ catalogue: Catalogue, payloads: Int) throws(RSSIError) -> Int? {
    var (beacons, advertisers, bytes): ([UInt32], [UInt32], [UInt32]) = ([], [], [])
    var (receivers, traces): ([UInt16], [UInt16]) = ([], [])
    for first in stride(from: 0, to: count, by: 65_536) {
      let rows = first..<min(first + 65_536, count)
      try beacon.read(rows, into: &beacons)
      try advertiser.read(rows, into: &advertisers)
      try receiver.read(rows, into: &receivers)
      try trace.read(rows, into: &traces)
      try payload.read(rows, into: &bytes)
      let lost = beacons.indices.first { row in
        beacons[row] >= catalogue.beacons.count || receivers[row] >= catalogue.receivers.count
          || traces[row] >= catalogue.traces.count
          || advertisers[row] >= catalogue.advertisers.count && advertisers[row] != Sighting.none
          || bytes[row] >= payloads && bytes[row] != Sighting.none
      }
      if let lost { return first + lost }
    }
    return nil
  }

  /// Rows that every column has.
  var count: Int { table.rows.count }
}
