internal import Advertising
internal import Sightings

/// u-blox anchors that measure angles (u-connectLocate on NINA-B4, ANT-B10): a line of text per
/// event, as written to the serial line, forwarded by any program that reads it.
///
///     +UUDF:CCF9578E0D8A,-42,20,0,-43,37,"CCF9578E0D89","",15869,23
///
/// The fields are the instance of the Eddystone-UID, the level of the first polarisation, azimuth,
/// elevation, the level of the second polarisation, channel, anchor, a text of the user,
/// milliseconds since the anchor started, and, since u-connectLocate 1.0, a counter. The namespace
/// is missing: it is the one that anchors listen for by default. Source: u-connectLocate AT
/// commands manual, +UUDF.
struct UBloxDialect: GatewayDialect {
  /// The bytes of "NINA-B4TAG".
  private static let namespace = Identifier<10>("4E494E412D4234544147")
  private static let prefix = Array("+UUDF:".utf8)

  /// Returns false, because no JSON message is in this dialect.
  func recognises(_ message: GatewayMessage) -> Bool { false }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) { batch.reject(.noSighting) }

  /// Returns a Boolean value that is true if a message begins with an event.
  func recognises(_ text: [UInt8]) -> Bool {
    text.drop(while: Self.isBreak).starts(with: Self.prefix)
  }

  /// Adds the sightings of every line of a message.
  func read(_ text: [UInt8], arrival: Int64, into batch: inout GatewayBatch) {
    for line in text.split(whereSeparator: Self.isBreak) {
      guard line.starts(with: Self.prefix) else {
        batch.reject(.noSighting)
        continue
      }
      read(line.dropFirst(Self.prefix.count), arrival, into: &batch)
    }
  }

  private func read(_ event: ArraySlice<UInt8>, _ arrival: Int64, into batch: inout GatewayBatch) {
    let comma = UInt8(ascii: ",")
    let fields = event.split(separator: comma, maxSplits: 6, omittingEmptySubsequences: false)
    guard fields.count == 7 else { return batch.reject(.badField) }
    guard batch.setGateway(anchor(fields[6]), rssiKind: .raw) else { return }
    guard let namespace = Self.namespace, fields[0].count == 12,
      let instance = Identifier<6>(String(decoding: fields[0], as: UTF8.self))
    else { return batch.reject(.badAddress) }
    guard let level = number(fields[1]) else { return batch.reject(.badRSSI) }
    guard let channel = number(fields[5]).flatMap(UInt8.init(exactly:)), channel < 40 else {
      return batch.reject(.badField)
    }
    var sighting = GatewaySighting(
      time: arrival, adapter: 0,
      beacon: BeaconIdentity.eddystoneUID(namespace: namespace, instance: instance).description,
      rssi: Float(level))
    sighting.channel = channel
    batch.add(sighting, timeKind: .arrival)
  }

  /// Returns the name of the anchor at the beginning of the rest of an event, with quotes or
  /// without.
  private func anchor(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let quote = UInt8(ascii: "\"")
    guard rest.first == quote else { return rest.prefix { $0 != UInt8(ascii: ",") } }
    return rest.dropFirst().prefix { $0 != quote }
  }

  private func number(_ text: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: text, as: UTF8.self))
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
