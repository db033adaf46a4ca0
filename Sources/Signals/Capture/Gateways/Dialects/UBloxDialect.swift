internal import Advertising
internal import Sightings

/// u-blox anchors that measure angles: a line of text per event, see `UBloxEvent`, as written to the
/// serial line, forwarded by any program that reads it.
struct UBloxDialect: GatewayDialect {
  /// Returns false, because no JSON message is in this dialect.
  func recognises(_ message: GatewayMessage) -> Bool { false }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) { batch.reject(.noSighting) }

  /// Returns a Boolean value that is true if a message begins with an event.
  func recognises(_ text: [UInt8]) -> Bool {
    text.drop(while: Self.isBreak).starts(with: UBloxEvent.prefix)
  }

  /// Adds the sightings of every line of a message.
  func read(_ text: [UInt8], arrival: Int64, into batch: inout GatewayBatch) {
    for line in text.split(whereSeparator: Self.isBreak) {
      guard line.starts(with: UBloxEvent.prefix) else {
        batch.reject(.noSighting)
        continue
      }
      read(line.dropFirst(UBloxEvent.prefix.count), arrival, into: &batch)
    }
  }

  private func read(_ text: ArraySlice<UInt8>, _ arrival: Int64, into batch: inout GatewayBatch) {
    guard let event = UBloxEvent(text) else { return batch.reject(.badField) }
    guard batch.setGateway(event.anchor, rssiKind: .raw) else { return }
    guard let beacon = event.beacon else { return batch.reject(.badAddress) }
    guard let level = event.rssiDBm else { return batch.reject(.badRSSI) }
    guard let channel = event.channel, let angle = event.angle else {
      return batch.reject(.badField)
    }
    var sighting = GatewaySighting(time: arrival, adapter: 0, beacon: beacon, rssi: level)
    (sighting.channel, sighting.angle) = (channel, angle)
    batch.add(sighting, timeKind: .arrival)
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
