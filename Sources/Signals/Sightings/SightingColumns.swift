/// A block of sightings, one array a column: the form in which they are stored and streamed.
///
/// All arrays have the same length, but for columns that a reader was not asked for, which are
/// empty. Reserve once and reuse with `removeAll`: appending then allocates nothing.
public struct SightingColumns: Sendable {
  public var time: [Int64] = []
  public var beacon: [UInt32] = []
  public var advertiser: [UInt32] = []
  public var receiver: [UInt16] = []
  public var trace: [UInt16] = []
  public var rssi: [Float] = []
  public var eventType: [UInt16] = []
  public var channel: [UInt8] = []
  public var primaryPHY: [UInt8] = []
  public var secondaryPHY: [UInt8] = []
  public var sid: [UInt8] = []
  public var txPower: [Int8] = []
  public var dataStatus: [UInt8] = []
  public var payload: [UInt32] = []
  public var dwell: [UInt32] = []

  /// Variance of filtered levels in dB²; only a reader fills it, and only for filtered levels.
  public var variance: [Float] = []

  public init(capacity: Int) {
    time.reserveCapacity(capacity)
    beacon.reserveCapacity(capacity)
    advertiser.reserveCapacity(capacity)
    receiver.reserveCapacity(capacity)
    trace.reserveCapacity(capacity)
    rssi.reserveCapacity(capacity)
    eventType.reserveCapacity(capacity)
    channel.reserveCapacity(capacity)
    primaryPHY.reserveCapacity(capacity)
    secondaryPHY.reserveCapacity(capacity)
    sid.reserveCapacity(capacity)
    txPower.reserveCapacity(capacity)
    dataStatus.reserveCapacity(capacity)
    payload.reserveCapacity(capacity)
    dwell.reserveCapacity(capacity)
  }

  public var count: Int { time.count }
  public var isEmpty: Bool { time.isEmpty }

  /// Appends rows column by column, which is faster than row by row as long as the rows stay in the
  /// processor's cache.
  public mutating func append(contentsOf rows: [Sighting]) { append(contentsOf: rows[...]) }

  mutating func append(contentsOf rows: ArraySlice<Sighting>) {
    time.append(rows) { $0.time }
    beacon.append(rows) { $0.beacon }
    advertiser.append(rows) { $0.advertiser }
    receiver.append(rows) { $0.receiver }
    trace.append(rows) { $0.trace }
    rssi.append(rows) { $0.rssi }
    eventType.append(rows) { $0.eventType }
    channel.append(rows) { $0.channel }
    primaryPHY.append(rows) { $0.primaryPHY }
    secondaryPHY.append(rows) { $0.secondaryPHY }
    sid.append(rows) { $0.sid }
    txPower.append(rows) { $0.txPower }
    dataStatus.append(rows) { $0.dataStatus }
    payload.append(rows) { $0.payload }
    dwell.append(rows) { $0.dwell }
  }

  /// Empties the block and keeps its memory.
  public mutating func removeAll() {
    time.removeAll(keepingCapacity: true)
    beacon.removeAll(keepingCapacity: true)
    advertiser.removeAll(keepingCapacity: true)
    receiver.removeAll(keepingCapacity: true)
    trace.removeAll(keepingCapacity: true)
    rssi.removeAll(keepingCapacity: true)
    eventType.removeAll(keepingCapacity: true)
    channel.removeAll(keepingCapacity: true)
    primaryPHY.removeAll(keepingCapacity: true)
    secondaryPHY.removeAll(keepingCapacity: true)
    sid.removeAll(keepingCapacity: true)
    txPower.removeAll(keepingCapacity: true)
    dataStatus.removeAll(keepingCapacity: true)
    payload.removeAll(keepingCapacity: true)
    dwell.removeAll(keepingCapacity: true)
  }

  /// Appends a row of another block; both have all columns but the variance.
  public mutating func append(row: Int, of rows: SightingColumns) {
    time.append(rows.time[row])
    beacon.append(rows.beacon[row])
    advertiser.append(rows.advertiser[row])
    receiver.append(rows.receiver[row])
    trace.append(rows.trace[row])
    rssi.append(rows.rssi[row])
    eventType.append(rows.eventType[row])
    channel.append(rows.channel[row])
    primaryPHY.append(rows.primaryPHY[row])
    secondaryPHY.append(rows.secondaryPHY[row])
    sid.append(rows.sid[row])
    txPower.append(rows.txPower[row])
    dataStatus.append(rows.dataStatus[row])
    payload.append(rows.payload[row])
    dwell.append(rows.dwell[row])
  }

  /// Drops rows from the start of a block with all columns but the variance.
  public mutating func removeFirst(_ count: Int) {
    time.removeFirst(count)
    beacon.removeFirst(count)
    advertiser.removeFirst(count)
    receiver.removeFirst(count)
    trace.removeFirst(count)
    rssi.removeFirst(count)
    eventType.removeFirst(count)
    channel.removeFirst(count)
    primaryPHY.removeFirst(count)
    secondaryPHY.removeFirst(count)
    sid.removeFirst(count)
    txPower.removeFirst(count)
    dataStatus.removeFirst(count)
    payload.removeFirst(count)
    dwell.removeFirst(count)
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends one value of each row; in one loop over memory, without a check for each of them.
  @inline(__always)
  fileprivate mutating func append(
    _ rows: ArraySlice<Sighting>, _ value: (borrowing Sighting) -> Element
  ) {
    append(addingCapacity: rows.count) { output in
      for row in rows { output.append(value(row)) }
    }
  }
}
