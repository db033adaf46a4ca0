internal import Sightings
import Support

/// The table `/sightings`: one row per advertising report.
struct SightingTable {
  let table: Table
  let time: Column<Double>
  /// All columns except the time, in the order of the file.
  private let columns: [SightingColumn]
  /// The columns in the order of writing: those that take longest to compress, which starts at the
  /// end, are last.
  private let written: [SightingColumn]
  /// The columns of angles, which few traces have; nil for a file without them.
  private let azimuth, elevation: OccasionalColumn<Float>?

  init(in file: TraceFile) throws(RSSIError) {
    // A number of rows that a file can hold; columns are read in blocks of any length.
    table = try Table("sightings", in: file, isLong: true, limit: 1 << 48)
    time = try table.column(
      "time_s", Double.self, units: file.clock.units, "When the host received the report")
    let beacon = try table.column("beacon", UInt32.self, units: "1", "Row of /beacons")
    let advertiser = try table.column(
      "advertiser", UInt32.self, units: "1", missing: Sighting.none,
      "Row of /advertisers; 4294967295 = not known")
    columns = [
      SightingColumn(beacon, \.beacon, .link),
      SightingColumn(advertiser, \.advertiser, [.radio, .sender], twin: (beacon, \.beacon)),
      try table.column(\.receiver, .link, "receiver", "Row of /receivers"),
      try table.column(\.trace, .link, "trace", "Row of /traces"),
      try table.column(
        \.rssi, .rssi, "rssi_dbm", units: "dBm", missing: .nan,
        "Received power; NaN = not available"),
      try table.column(
        \.eventType, .radio, "event_type", missing: .max,
        "Bits: 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy; 65535 = not known"
      ),
      try table.column(
        \.channel, .channel, "channel", missing: .max, "Radio channel index; 255 = not known"),
      try table.column(
        \.primaryPHY, .radio, "primary_phy", missing: 0, "0 not known, 1 LE 1M, 3 LE Coded"),
      try table.column(
        \.secondaryPHY, .radio, "secondary_phy", missing: 0,
        "0 none, 1 LE 1M, 2 LE 2M, 3 LE Coded"),
      try table.column(
        \.sid, .radio, "sid", missing: .max, "Advertising set identifier; 255 = none"),
      try table.column(
        \.txPower, .radio, "tx_power_dbm", units: "dBm", missing: .max,
        "Transmit power in the PDU header; 127 = none"),
      try table.column(
        \.dataStatus, .radio, "data_status", missing: 0,
        "0 complete, 1 the rest never came, 2 truncated, 3 wrong checksum"),
      try table.column(
        \.payload, .payload, "payload", missing: Sighting.none, twin: (advertiser, \.advertiser),
        "Row of /payloads; 4294967295 = none"),
      try table.column(
        \.stay, .stay, "dwell", missing: Sighting.none,
        "Row of /truth/distances; 4294967295 = distance not known"),
    ]
    azimuth = try table.occasionalColumn(
      "azimuth_deg", of: .angles, units: "degree", missing: .nan,
      "Angle to the side at which the receiver heard it; NaN = not known")
    elevation = try table.occasionalColumn(
      "elevation_deg", of: .angles, units: "degree", missing: .nan,
      "Angle upwards at which the receiver heard it; NaN = not known")
    written = columns.enumerated()
      .sorted { ($0.element.width, $0.offset) < ($1.element.width, $1.offset) }.map(\.element)
    try table.alignToFirstColumn()
  }

  /// The columns in which zeros do not indicate lost rows, because they are common or stand for
  /// none.
  static let columnsOfZeros = ["primary_phy", "secondary_phy", "data_status"].map {
    "sightings/\($0)"
  }

  /// A Boolean value that is true if the file has columns of angles.
  var hasAngles: Bool { azimuth != nil || elevation != nil }

  /// The number of rows that every column has.
  var count: Int { table.rows.count }

  /// - Parameter times: The times in seconds since the start of the file.
  func append(_ rows: SightingColumns, times: [Double]) throws(RSSIError) {
    // The time is last, so that a reader of a live file finds every other column at least as long.
    try writeAngles(rows, count: times.count, from: time.count)
    try TraceStore.append(written.map { $0.appending(rows) } + [time.appending(times)])
  }

  private func writeAngles(
    _ rows: SightingColumns, count: Int, from first: Int
  ) throws(RSSIError) {
    try azimuth?.write(rows.azimuth, rows: count, from: first)
    try elevation?.write(rows.elevation, rows: count, from: first)
  }

  /// Appends the first rows of another table, column by column.
  func append(_ other: SightingTable, rows: Int) throws(RSSIError) {
    var block = SightingColumns(capacity: 0)
    for (new, old) in zip(columns, other.columns) {
      for first in stride(from: 0, to: rows, by: 65_536) {
        try old.read(first..<min(first + 65_536, rows), &block)
        try new.appending(block).write()
      }
    }
    for first in stride(from: 0, to: other.hasAngles ? rows : 0, by: 65_536) {
      let range = first..<min(first + 65_536, rows)
      try other.read(range, .angle, into: &block)
      try writeAngles(block, count: range.count, from: first)
    }
    try time.append(other.time, rows: rows)
  }

  /// Reads rows of the requested columns, except the times.
  func read(
    _ rows: Range<Int>, _ fields: SightingFields, into block: inout SightingColumns
  ) throws(RSSIError) {
    for column in columns where !column.fields.isDisjoint(with: fields) {
      try column.read(rows, &block)
    }
    guard fields.contains(.angle) else { return }
    try azimuth?.read(rows, into: &block.azimuth)
    try elevation?.read(rows, into: &block.elevation)
    // A damaged file may have lost one of the columns.
    if block.azimuth.isEmpty != block.elevation.isEmpty {
      let missing = [Float](repeating: .nan, count: rows.count)
      if block.azimuth.isEmpty { block.azimuth = missing } else { block.elevation = missing }
    }
  }

  /// Returns the first row with a reference to missing data, or `nil` if there is none.
  func firstUnknown(_ catalogue: Catalogue, payloads: Int) throws(RSSIError) -> Int? {
    var block = SightingColumns(capacity: 0)
    for first in stride(from: 0, to: count, by: 65_536) {
      try read(first..<min(first + 65_536, count), [.link, .sender, .payload], into: &block)
      let lost = block.beacon.indices.first { row in
        let (advertiser, payload) = (block.advertiser[row], block.payload[row])
        return block.beacon[row] >= catalogue.beacons.count
          || block.receiver[row] >= catalogue.receivers.count
          || block.trace[row] >= catalogue.traces.count
          || advertiser >= catalogue.advertisers.count && advertiser != Sighting.none
          || payload >= payloads && payload != Sighting.none
      }
      if let lost { return first + lost }
    }
    return nil
  }
}

/// A column of `/sightings`, with the array of a block that it stores.
private struct SightingColumn {
  /// The fields of which any includes the column.
  let fields: SightingFields
  /// The size of a value in bytes.
  let width: Int
  let appending: (SightingColumns) -> ColumnAppend
  let read: (Range<Int>, inout SightingColumns) throws(RSSIError) -> Void

  /// A column that often has the same values, and is written earlier.
  typealias Twin<Value: Scalar> = (column: Column<Value>, place: KeyPath<SightingColumns, [Value]>)

  init<Value: Scalar>(
    _ column: Column<Value>, _ place: WritableKeyPath<SightingColumns, [Value]>,
    _ fields: SightingFields, twin: Twin<Value>? = nil
  ) {
    self.fields = fields
    width = MemoryLayout<Value>.size
    appending = { rows in
      column.appending(
        rows[keyPath: place], twin: twin.map { ($0.column, rows[keyPath: $0.place]) })
    }
    read = { rows, block throws(RSSIError) in
      try column.read(rows, into: &block[keyPath: place])
    }
  }
}

extension Table {
  fileprivate func column<Value: Scalar>(
    _ place: WritableKeyPath<SightingColumns, [Value]>, _ fields: SightingFields, _ name: String,
    units: String = "1", missing: Value? = nil, twin: SightingColumn.Twin<Value>? = nil,
    _ description: String
  ) throws(RSSIError) -> SightingColumn {
    SightingColumn(
      try column(name, Value.self, units: units, missing: missing, description), place, fields,
      twin: twin)
  }
}

/// The columns of sightings that a stage needs; reading fewer is faster.
public struct SightingFields: OptionSet, Sendable {
  /// The set of columns as bits.
  public let rawValue: Int
  /// Creates a set of columns from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The time.
  public static let time = SightingFields(rawValue: 1)
  /// Beacon, receiver and trace.
  public static let link = SightingFields(rawValue: 2)
  /// The level.
  public static let rssi = SightingFields(rawValue: 4)
  /// The stay at a known distance.
  public static let stay = SightingFields(rawValue: 8)
  /// The advertising data.
  public static let payload = SightingFields(rawValue: 16)
  /// The advertising channel.
  public static let channel = SightingFields(rawValue: 32)
  /// Advertiser, event type, PHYs, SID, transmit power and data status.
  public static let radio = SightingFields(rawValue: 64)
  /// The advertiser alone.
  package static let sender = SightingFields(rawValue: 128)
  /// The angles, of receivers that measure them.
  public static let angle = SightingFields(rawValue: 256)
  /// All columns.
  public static let all: SightingFields = [
    .time, .link, .rssi, .stay, .payload, .channel, .radio, .angle,
  ]
}
