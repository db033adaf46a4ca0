/// Names of beacons, receivers and traces, as a trace file can keep them apart.
enum Name {
  static let maximumLength = 128
  /// What a name may be, for messages.
  static let rule = "a name is UTF-8 without zero bytes, \(maximumLength) bytes at most"

  /// Whether some bytes are a name; an empty one is.
  static func isValid(_ utf8: Span<UInt8>) -> Bool {
    guard utf8.count <= maximumLength else { return false }
    var isASCII = true
    for i in utf8.indices {
      if utf8[i] == 0 { return false }
      if utf8[i] >= 0x80 { isASCII = false }
    }
    return isASCII || (try? UTF8Span(validating: utf8)) != nil
  }
}
