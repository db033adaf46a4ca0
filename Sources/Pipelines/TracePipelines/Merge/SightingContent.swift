package import Sightings

/// What makes two rows of one instant the same.
package struct SightingContent: Hashable {
  private let indices: [UInt32]
  private let level: UInt32
  private let octets: [UInt8]

  package init(_ row: Sighting) {
    indices = [
      row.beacon, row.advertiser, row.payload, UInt32(row.receiver), UInt32(row.trace),
      UInt32(row.eventType),
    ]
    level = row.rssi.isNaN ? Float.nan.bitPattern : row.rssi.bitPattern
    octets = [
      row.channel, row.primaryPHY, row.secondaryPHY, row.sid, row.dataStatus,
      UInt8(bitPattern: row.txPower),
    ]
  }
}
