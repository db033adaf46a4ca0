internal import Sightings
internal import Support

/// A time that a gateway states, and how fine it is.
struct GatewayTime {
  /// Nanoseconds since the Unix epoch.
  var time: Int64
  var kind: Radio.TimeKind

  /// Reads Unix seconds, Unix milliseconds or ISO 8601 in UTC, as a number or as text; nil for
  /// anything else.
  init?(_ value: JSONElement?) {
    guard let value else { return nil }
    if let number = value.number {
      // Seconds are below this number until the year 5138, milliseconds above it since 1973.
      let isMilliseconds = abs(number) >= 1e11
      let milliseconds = isMilliseconds ? number : number * 1000
      guard abs(milliseconds) < Double(Timestamp.limit) * 1000 else { return nil }
      time = Int64(milliseconds.rounded()) * 1_000_000
      kind = isMilliseconds || number != number.rounded() ? .gatewayMilliseconds : .gatewaySeconds
    } else {
      guard let text = value.text, text.count <= 32,
        let parsed = Timestamp.parse(iso8601: String(decoding: text, as: UTF8.self))
      else { return nil }
      time = parsed
      kind = text.contains(UInt8(ascii: ".")) ? .gatewayMilliseconds : .gatewaySeconds
    }
  }
}
