/// A block of sightings, one array a column: the form in which they are stored and streamed.
///
/// All arrays have the same length, but for columns that a reader was not asked for, which are empty.
/// Reserve once and reuse with `removeAll`: appending then allocates nothing.
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

  public mutating func append(_ row: Sighting) {
    time.append(row.time)
    beacon.append(row.beacon)
    advertiser.append(row.advertiser)
    receiver.append(row.receiver)
    trace.append(row.trace)
    rssi.append(row.rssi)
    eventType.append(row.eventType)
    channel.append(row.channel)
    primaryPHY.append(row.primaryPHY)
    secondaryPHY.append(row.secondaryPHY)
    sid.append(row.sid)
    txPower.append(row.txPower)
    dataStatus.append(row.dataStatus)
    payload.append(row.payload)
    dwell.append(row.dwell)
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
}
