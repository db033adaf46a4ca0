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
    // Several digits at once, as long as the mantissa certainly holds them.
    while text.count >= 8, i < text.count, digits <= 11 {
      let (count, value) = leadingDigits(word(text, at: i))
      parts.mantissa = parts.mantissa &* tens[count] &+ value
      if afterPoint { parts.exponent &-= count }
      digits &+= count
      i &+= count
      if count == 8 { continue }
      guard i < text.count, text[i] == point, !afterPoint else { break }
      afterPoint = true
      i &+= 1
    }
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

  /// Eight bytes of a text that has as many, with zeros behind its end; the first is the lowest.
  @inline(__always)
  private static func word(_ text: Span<UInt8>, at index: Int) -> UInt64 {
    let start = min(index, text.count - 8)
    let word = text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    return UInt64(littleEndian: word) >> UInt64(8 * (index - start))
  }

  /// Returns the number of decimal digits at the start of eight bytes, and their value.
  ///
  /// Digits are joined to pairs, pairs to fours and those to eight by three multiplications
  /// (Lemire 2021, "Number parsing at a gigabyte per second", after Mula).
  @inline(__always)
  private static func leadingDigits(_ word: UInt64) -> (count: Int, value: UInt64) {
    let values = word ^ 0x3030_3030_3030_3030
    // A carry out of a byte that is no digit changes only bytes behind it.
    let others = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount / 8
    // Zeros instead of what follows, in front of the digits.
    let digits = values << UInt64(64 - 8 * count)
    let pairs = digits &* 10 &+ digits >> 8
    let low = (pairs & 0xFF_0000_00FF) &* 0xF_4240_0000_0064
    let high = (pairs >> 16 & 0xFF_0000_00FF) &* 0x2710_0000_0001
    return (count, (low &+ high) >> 32)
  }

  /// The powers of ten of as many digits as are read at once.
  private static let tens: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  /// The powers of ten that are exact doubles.
  private static let powers = [
    1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
