internal import Sightings

/// Parsing of decimal numbers from bytes, without a String.
enum DecimalNumber {
  /// Returns a number such as `-63`, `1.25` or `1e-3`, or `nil` for anything else, including
  /// infinities and NaN.
  ///
  /// The result is the double nearest to the text: exact integers scaled by an exact power of ten
  /// are rounded once (Clinger 1990, the fast path); what does not fit goes to the standard
  /// library.
  ///
  /// - Parameter point: the byte before the decimals, a point or a comma.
  static func double(_ text: Span<UInt8>, point: UInt8 = UInt8(ascii: ".")) -> Double? {
    guard let parts = parse(text, point) else { return nil }
    if parts.isExact, parts.mantissa < 1 << 53, abs(parts.exponent) <= 22 {
      let power = powers[abs(parts.exponent)]
      let magnitude =
        parts.exponent < 0 ? Double(parts.mantissa) / power : Double(parts.mantissa) * power
      return parts.isNegative ? -magnitude : magnitude
    }
    var bytes: [UInt8] = []
    for i in text.indices { bytes.append(text[i] == point ? UInt8(ascii: ".") : text[i]) }
    return Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns seconds as whole nanoseconds, exact up to the ninth decimal and rounded half away from
  /// zero by the tenth, or `nil` outside the years 1678 to 2262.
  ///
  /// A mantissa that cannot hold every digit is over 10^18, so that the digits it lacks are beyond
  /// the first that rounds, or are that one, or the time is beyond those years.
  ///
  /// - Parameters:
  ///   - power: the unit of the number as a power of ten of seconds, such as -3 for milliseconds.
  ///   - point: the byte before the decimals.
  static func nanoseconds(
    _ text: Span<UInt8>, power: Int = 0, point: UInt8 = UInt8(ascii: ".")
  ) -> Int64? {
    guard let parts = parse(text, point) else { return nil }
    var value = parts.mantissa
    var exponent = parts.exponent + 9 + power
    if exponent == 0, parts.firstDropped >= 5 {
      let (sum, overflow) = value.addingReportingOverflow(1)
      if overflow { return nil }
      value = sum
    }
    if value == 0 { return 0 }
    while exponent > 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
      exponent -= 1
    }
    while exponent < 0, value > 0 {
      value = exponent == -1 ? (value + 5) / 10 : value / 10
      exponent += 1
    }
    guard value <= UInt64(Timestamp.limit * Timestamp.second) else { return nil }
    return parts.isNegative ? -Int64(value) : Int64(value)
  }

  private struct Parts {
    var isNegative = false
    var mantissa: UInt64 = 0
    var exponent = 0
    /// A Boolean value that is true if the mantissa holds every digit.
    var isExact = true
    /// The first digit that does not fit the mantissa.
    var firstDropped: UInt8 = 0
  }

  @inline(__always)
  private static func parse(_ text: Span<UInt8>, _ point: UInt8) -> Parts? {
    var parts = Parts()
    var i = 0
    if i < text.count, text[i] == UInt8(ascii: "-") || text[i] == UInt8(ascii: "+") {
      parts.isNegative = text[i] == UInt8(ascii: "-")
      i += 1
    }
    var digits = 0
    var afterPoint = false
    while i < text.count {
      let byte = text[i]
      if byte == point, !afterPoint {
        afterPoint = true
      } else if byte >= 48, byte <= 57 {
        digits += 1
        if parts.mantissa < (UInt64.max - 9) / 10 {
          parts.mantissa = parts.mantissa * 10 + UInt64(byte - 48)
          if afterPoint { parts.exponent -= 1 }
        } else {
          if parts.isExact { parts.firstDropped = byte - 48 }
          parts.isExact = false
          if !afterPoint { parts.exponent += 1 }
        }
      } else {
        break
      }
      i += 1
    }
    guard digits > 0 else { return nil }
    if i < text.count {
      guard text[i] | 0x20 == UInt8(ascii: "e"), i + 1 < text.count else { return nil }
      i += 1
      var isNegative = false
      if text[i] == UInt8(ascii: "-") || text[i] == UInt8(ascii: "+") {
        isNegative = text[i] == UInt8(ascii: "-")
        i += 1
      }
      guard i < text.count else { return nil }
      var exponent = 0
      while i < text.count {
        guard text[i] >= 48, text[i] <= 57, exponent < 10_000 else { return nil }
        exponent = exponent * 10 + Int(text[i] - 48)
        i += 1
      }
      parts.exponent += isNegative ? -exponent : exponent
    }
    return parts
  }

  private static let powers: [Double] = {
    var powers = [1.0]
    for _ in 0..<22 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()
}
