/// One event of a u-blox anchor that measures angles (u-connectLocate on NINA-B4, ANT-B10).
///
///     +UUDF:CCF9578E0D8A,-42,20,0,-43,37,"CCF9578E0D89","",15869,23
///
/// The fields are the instance of the Eddystone-UID, the level of the first polarisation, azimuth,
/// elevation, the level of the second polarisation, channel, anchor, a text of the user,
/// milliseconds since the anchor started, and, since u-connectLocate 1.0, a counter. The namespace
/// is missing: it is the one that anchors listen for by default. Source: u-connectLocate AT
/// commands manual, +UUDF.
package struct UBloxEvent {
  package static let prefix = Array("+UUDF:".utf8)
  /// The bytes of "NINA-B4TAG".
  private static let namespace = Identifier<10>("4E494E412D4234544147")

  private let fields: [ArraySlice<UInt8>]

  /// Creates an event from the text after the prefix, or returns `nil` if it has too few fields.
  package init?(_ text: ArraySlice<UInt8>) {
    fields = text.split(
      separator: UInt8(ascii: ","), maxSplits: 6, omittingEmptySubsequences: false)
    guard fields.count == 7 else { return nil }
  }

  /// The name of the anchor, with quotes in the text or without.
  package var anchor: ArraySlice<UInt8> {
    let quote = UInt8(ascii: "\"")
    guard fields[6].first == quote else { return fields[6].prefix { $0 != UInt8(ascii: ",") } }
    return fields[6].dropFirst().prefix { $0 != quote }
  }

  /// The identity of the beacon; nil for an invalid instance.
  package var beacon: String? {
    guard let namespace = Self.namespace, fields[0].count == 12,
      let instance = Identifier<6>(String(decoding: fields[0], as: UTF8.self))
    else { return nil }
    return BeaconIdentity.eddystoneUID(namespace: namespace, instance: instance).description
  }

  /// The level of the first polarisation, in dBm; nil for text.
  package var rssiDBm: Float? { number(fields[1]).map { Float($0) } }

  /// The channel; nil for an invalid one.
  package var channel: UInt8? {
    number(fields[5]).flatMap(UInt8.init(exactly:)).flatMap { $0 < 40 ? $0 : nil }
  }

  /// The direction; nil for impossible angles.
  package var angle: Angle? {
    var degrees: [Float] = []
    for field in fields[2...3] {
      guard let value = field.isEmpty ? .nan : number(field).map({ Float($0) }) else { return nil }
      degrees.append(value)
    }
    return Angle.possible(azimuthDeg: degrees[0], elevationDeg: degrees[1])
  }

  /// The time since the anchor started, in milliseconds; nil if there is none.
  package var milliseconds: Int64? {
    var rest = fields[6].dropFirst(anchor.count)
    // The user's text may contain commas.
    if rest.first == UInt8(ascii: "\"") { rest = rest.dropFirst() }
    let fields = rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let numbers = fields.reversed().prefix { Int64(String(decoding: $0, as: UTF8.self)) != nil }
    guard let last = numbers.prefix(2).last else { return nil }
    return Int64(String(decoding: last, as: UTF8.self)).flatMap {
      0...Int64(UInt32.max) ~= $0 ? $0 : nil
    }
  }

  private func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.count <= 8 else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }
}
