public import Advertising

/// One advertising report with its RSSI at one receiver: a row of a trace.
///
/// Its nodes and names are dense indices into the tables of a `Catalogue`, so that a row takes 48
/// bytes and no stage needs a dictionary in its inner loop.
public struct Sighting: Hashable, Sendable {
  /// The time of reception, in nanoseconds since the Unix epoch (UTC).
  public var time: Int64
  /// The row of the beacon in the catalogue.
  public var beacon: UInt32
  /// The row of the address in the catalogue; `none` if the source does not give it.
  public var advertiser: UInt32 = Sighting.none
  /// The row of the receiver in the catalogue.
  public var receiver: UInt16
  /// The row of the trace in the catalogue.
  public var trace: UInt16
  /// The level, in dBm; NaN if it is not available.
  public var rssi: Float
  /// The event type, as in `AdvertisingReport`; `unknownEventType` if the source does not give it.
  public var eventType: UInt16 = Sighting.unknownEventType
  /// The advertising channel, 37 to 39; 255 if it is unknown.
  public var channel: UInt8 = 255
  /// The layer of the first PDU: 1 LE 1M, 3 LE Coded; 0 if it is unknown.
  public var primaryPHY: UInt8 = 0
  /// The layer of the second PDU: 1 LE 1M, 2 LE 2M, 3 LE Coded; 0 if there is none.
  public var secondaryPHY: UInt8 = 0
  /// The identifier of the advertising set; 255 if there is none.
  public var sid: UInt8 = 0xFF
  /// The transmit power in the header, in dBm; 127 if there is none.
  public var txPower: Int8 = 127
  /// The completeness of the data, as in `AdvertisingReport`; 0 if it is complete.
  public var dataStatus: UInt8 = 0
  /// The index of the advertising data; `none` if the source has none.
  public var payload: UInt32 = Sighting.none
  /// The index of the stay at a known distance of this sighting; `none` if there is none.
  public var stay: UInt32 = Sighting.none
  /// The direction from which the receiver heard the beacon; mostly unknown.
  public var angle = Angle()

  /// Creates a sighting; the time is in nanoseconds since the Unix epoch, and the level in dBm.
  public init(
    time: Int64, beacon: UInt32, receiver: UInt16, trace: UInt16, rssi: Float
  ) {
    self.time = time
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.rssi = rssi
  }

  /// The index that stands for "there is none".
  public static let none = UInt32.max
  /// The event type of a sighting from a table, which has none.
  public static let unknownEventType = UInt16.max
}

extension Sighting {
  /// Sets the properties of a report's packet: everything but time, level and identities.
  mutating func take(_ report: AdvertisingReport) {
    eventType = report.eventType
    channel = report.channel
    primaryPHY = report.primaryPHY
    secondaryPHY = report.secondaryPHY
    sid = report.sid
    txPower = report.txPower
    dataStatus = report.dataStatus
    angle = report.angle
  }

  /// Returns the report behind the sighting, with adapter 0.
  ///
  /// - Parameter address: The address of its advertiser.
  package func report(from address: DeviceAddress) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: time, address: address, rssi: rssi, eventType: eventType)
    report.channel = channel
    report.primaryPHY = primaryPHY
    report.secondaryPHY = secondaryPHY
    report.sid = sid
    report.txPower = txPower
    report.dataStatus = dataStatus
    report.angle = angle
    return report
  }
}

/// A block of sightings with one array per column, the form in which they are stored and streamed.
///
/// All arrays have the same length, except for columns that were not requested, which are empty.
/// Reserve once and reuse with `removeAll`: appending then allocates nothing.
public struct SightingColumns: Sendable {
  /// The time of reception, in nanoseconds since the Unix epoch.
  public var time: [Int64] = []
  /// The row of the beacon in the catalogue.
  public var beacon: [UInt32] = []
  /// The row of the address in the catalogue, or `Sighting.none`.
  public var advertiser: [UInt32] = []
  /// The row of the receiver in the catalogue.
  public var receiver: [UInt16] = []
  /// The row of the trace in the catalogue.
  public var trace: [UInt16] = []
  /// The level, in dBm; NaN if it is not available.
  public var rssi: [Float] = []
  /// The event type, or `Sighting.unknownEventType`.
  public var eventType: [UInt16] = []
  /// The advertising channel, 37 to 39; 255 if it is unknown.
  public var channel: [UInt8] = []
  /// The layer of the first PDU, as in ``Sighting/primaryPHY``.
  public var primaryPHY: [UInt8] = []
  /// The layer of the second PDU, as in ``Sighting/secondaryPHY``.
  public var secondaryPHY: [UInt8] = []
  /// The identifier of the advertising set; 255 if there is none.
  public var sid: [UInt8] = []
  /// The transmit power in the header, in dBm; 127 if there is none.
  public var txPower: [Int8] = []
  /// The completeness of the data, as in ``Sighting/dataStatus``.
  public var dataStatus: [UInt8] = []
  /// The index of the advertising data, or `Sighting.none`.
  public var payload: [UInt32] = []
  /// The index of the stay at a known distance, or `Sighting.none`.
  public var stay: [UInt32] = []

  /// The angle to the side, in degrees, NaN if it is unknown; empty if no row has one.
  public var azimuth: [Float] = []
  /// The angle upwards, in degrees, NaN if it is unknown; empty if no row has one.
  public var elevation: [Float] = []

  /// The variance of filtered levels in dB²; only set by a reader of filtered levels.
  public var variance: [Float] = []

  /// Applies an operation to each column but the angles and the variance, with the same column of
  /// another block; this is the list of the columns that every sighting has.
  @inline(__always)
  private mutating func apply(
    _ operation: some ColumnOperation, with other: borrowing SightingColumns = none
  ) {
    operation.apply(to: &time, other.time) { $0.time }
    operation.apply(to: &beacon, other.beacon) { $0.beacon }
    operation.apply(to: &advertiser, other.advertiser) { $0.advertiser }
    operation.apply(to: &receiver, other.receiver) { $0.receiver }
    operation.apply(to: &trace, other.trace) { $0.trace }
    operation.apply(to: &rssi, other.rssi) { $0.rssi }
    operation.apply(to: &eventType, other.eventType) { $0.eventType }
    operation.apply(to: &channel, other.channel) { $0.channel }
    operation.apply(to: &primaryPHY, other.primaryPHY) { $0.primaryPHY }
    operation.apply(to: &secondaryPHY, other.secondaryPHY) { $0.secondaryPHY }
    operation.apply(to: &sid, other.sid) { $0.sid }
    operation.apply(to: &txPower, other.txPower) { $0.txPower }
    operation.apply(to: &dataStatus, other.dataStatus) { $0.dataStatus }
    operation.apply(to: &payload, other.payload) { $0.payload }
    operation.apply(to: &stay, other.stay) { $0.stay }
  }

  /// Returns the sighting of a row of a block that has all columns.
  public subscript(row: Int) -> Sighting {
    var sighting = Sighting(
      time: time[row], beacon: beacon[row], receiver: receiver[row], trace: trace[row],
      rssi: rssi[row])
    sighting.advertiser = advertiser[row]
    sighting.eventType = eventType[row]
    sighting.channel = channel[row]
    sighting.primaryPHY = primaryPHY[row]
    sighting.secondaryPHY = secondaryPHY[row]
    sighting.sid = sid[row]
    sighting.txPower = txPower[row]
    sighting.dataStatus = dataStatus[row]
    sighting.payload = payload[row]
    sighting.stay = stay[row]
    sighting.angle = angle(row)
    return sighting
  }

  /// Returns the direction of a row.
  package func angle(_ row: Int) -> Angle {
    azimuth.isEmpty ? Angle() : Angle(azimuthDeg: azimuth[row], elevationDeg: elevation[row])
  }

  /// Appends directions after the rows to which they belong, if one of them is known or an earlier
  /// one was.
  private mutating func append(_ angles: some Collection<Angle>) {
    guard !azimuth.isEmpty || angles.contains(where: \.isKnown) else { return }
    let missing = [Float](repeating: .nan, count: time.count - angles.count - azimuth.count)
    azimuth += missing
    elevation += missing
    for angle in angles {
      azimuth.append(angle.azimuthDeg)
      elevation.append(angle.elevationDeg)
    }
  }

  private static let none = SightingColumns(capacity: 0)

  /// Creates an empty block with room for a number of rows.
  public init(capacity: Int) {
    if capacity > 0 { apply(Reservation(capacity: capacity)) }
  }

  /// The number of rows.
  public var count: Int { time.count }
  /// A Boolean value that is true if there is no row.
  public var isEmpty: Bool { time.isEmpty }

  /// Appends rows column by column, which is faster than row by row as long as the rows stay in the
  /// processor's cache.
  public mutating func append(contentsOf rows: [Sighting]) { append(contentsOf: rows[...]) }

  mutating func append(contentsOf rows: ArraySlice<Sighting>) {
    apply(Spreading(rows: rows))
    append(rows.lazy.map(\.angle))
  }

  /// Appends a row of another block; both have all columns but the variance.
  public mutating func append(row: Int, of rows: SightingColumns) {
    apply(RowCopy(row: row), with: rows)
    append(CollectionOfOne(rows.angle(row)))
  }

  /// Appends the rows of a block that has the same columns.
  package mutating func append(contentsOf block: borrowing SightingColumns) {
    apply(Concatenation(), with: block)
    if !azimuth.isEmpty || !block.azimuth.isEmpty {
      let block = copy block
      append(block.time.indices.map { block.angle($0) })
    }
  }

  /// Empties the block and keeps its memory.
  public mutating func removeAll() {
    apply(Removal())
    (azimuth, elevation) = ([], [])
  }

  /// Removes rows from the start of a block with all columns but the variance.
  public mutating func removeFirst(_ count: Int) {
    apply(FirstRemoval(count: count))
    guard !azimuth.isEmpty else { return }
    azimuth.removeFirst(count)
    elevation.removeFirst(count)
  }

  /// Reorders the rows of the existing columns.
  package mutating func reorder(_ order: [Int]) {
    let operation = Reordering(order: order)
    apply(operation)
    operation.apply(to: &azimuth, []) { $0.angle.azimuthDeg }
    operation.apply(to: &elevation, []) { $0.angle.elevationDeg }
  }
}

/// An operation on every column of a block.
private protocol ColumnOperation {
  /// - Parameters:
  ///   - column: The column to change.
  ///   - other: The same column of another block.
  ///   - value: Returns the value of the column in a sighting.
  func apply<Element: BitwiseCopyable>(
    to column: inout [Element], _ other: borrowing [Element],
    _ value: (borrowing Sighting) -> Element)
}

private struct Reservation: ColumnOperation {
  let capacity: Int

  func apply<Element>(
    to column: inout [Element], _: borrowing [Element], _: (borrowing Sighting) -> Element
  ) {
    column.reserveCapacity(capacity)
  }
}

private struct Spreading: ColumnOperation {
  let rows: ArraySlice<Sighting>

  /// One loop over memory, without a check per row.
  @inline(__always)
  func apply<Element: BitwiseCopyable>(
    to column: inout [Element], _: borrowing [Element], _ value: (borrowing Sighting) -> Element
  ) {
    #if compiler(>=6.3)
      // A span, because an iterator holds the rows, and counting its reference waits for all stores.
      let rows = rows.span
      column.append(addingCapacity: rows.count) { output in
        for row in rows.indices { output.append(value(rows[row])) }
      }
    #else
      for row in rows { column.append(value(row)) }
    #endif
  }
}

private struct RowCopy: ColumnOperation {
  let row: Int

  @inline(__always)
  func apply<Element>(
    to column: inout [Element], _ other: borrowing [Element], _: (borrowing Sighting) -> Element
  ) {
    column.append(other[row])
  }
}

private struct Concatenation: ColumnOperation {
  func apply<Element>(
    to column: inout [Element], _ other: borrowing [Element], _: (borrowing Sighting) -> Element
  ) {
    column.append(contentsOf: copy other)
  }
}

private struct Removal: ColumnOperation {
  func apply<Element>(
    to column: inout [Element], _: borrowing [Element], _: (borrowing Sighting) -> Element
  ) {
    column.removeAll(keepingCapacity: true)
  }
}

private struct FirstRemoval: ColumnOperation {
  let count: Int

  func apply<Element>(
    to column: inout [Element], _: borrowing [Element], _: (borrowing Sighting) -> Element
  ) {
    column.removeFirst(count)
  }
}

private struct Reordering: ColumnOperation {
  let order: [Int]

  func apply<Element>(
    to column: inout [Element], _: borrowing [Element], _: (borrowing Sighting) -> Element
  ) {
    guard !column.isEmpty else { return }
    let old = column
    column = order.map { old[$0] }
  }
}
