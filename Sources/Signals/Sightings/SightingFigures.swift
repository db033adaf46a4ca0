public import Advertising

/// Statistics of sightings, accumulated block by block.
public struct SightingFigures: Sendable {
  /// The number of sightings without a level.
  public private(set) var missing = 0
  /// The lowest level, in dBm; infinite if there is none.
  public private(set) var lowest = Float.infinity
  /// The highest level, in dBm; negative infinity if there is none.
  public private(set) var highest = -Float.infinity
  /// The sum of the levels, in dBm.
  public private(set) var sum = 0.0
  /// The time of the first sighting, in nanoseconds since the Unix epoch; `Int64.max` if there is
  /// none.
  public private(set) var first = Int64.max
  /// The time of the last sighting, in nanoseconds since the Unix epoch; `Int64.min` if there is
  /// none.
  public private(set) var last = Int64.min
  /// The numbers of sightings by the kind of beacon in their payload, in the order of `BeaconKind`.
  private var counts = [UInt64](repeating: 0, count: Self.order.count)
  /// The numbers of sightings without a payload, by beacon.
  private var silent: [UInt64] = []
  /// The index of the kind, by payload.
  private var payloadKinds: [UInt8] = []

  /// Creates the statistics of no sightings.
  public init() {}

  /// The order in which kinds of beacons are counted.
  public static let order = BeaconKind.allCases

  /// Adds the next payload.
  package mutating func add(payload: Span<UInt8>) {
    payloadKinds.append(UInt8(Self.order.firstIndex(of: BeaconFrame(payload: payload).kind) ?? 0))
  }

  package mutating func add(_ rows: borrowing SightingColumns) {
    // Without branches, and not in the properties, which would be stored for each row.
    var (lowest, highest, sum, missing) = (lowest, highest, sum, missing)
    for rssi in rows.rssi {
      let isMissing = rssi.isNaN
      missing += isMissing ? 1 : 0
      lowest = rssi < lowest ? rssi : lowest
      highest = rssi > highest ? rssi : highest
      sum += isMissing ? 0 : Double(rssi)
    }
    (self.lowest, self.highest, self.sum, self.missing) = (lowest, highest, sum, missing)
    var (first, last) = (first, last)
    for time in rows.time {
      first = min(first, time)
      last = max(last, time)
    }
    (self.first, self.last) = (first, last)
    for row in rows.payload.indices {
      let payload = Int(rows.payload[row])
      if payload < payloadKinds.count {
        counts[Int(payloadKinds[payload])] += 1
      } else {
        let beacon = Int(rows.beacon[row])
        while silent.count <= beacon { silent.append(0) }
        silent[beacon] += 1
      }
    }
  }

  /// Returns the number of sightings of each kind of beacon, in the order of `BeaconKind`.
  public func kinds(of beacons: [Node]) -> [UInt64] {
    var kinds = counts
    for (beacon, count) in zip(beacons, silent) {
      let kind = Self.order.firstIndex { $0.rawValue == beacon.kind }
      kinds[kind ?? Self.order.count - 1] += count
    }
    return kinds
  }
}
