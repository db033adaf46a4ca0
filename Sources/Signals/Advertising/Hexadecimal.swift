/// Returns bytes as upper-case hexadecimal digits, two per byte, with a separator between bytes.
func hexadecimal<let count: Int>(
  _ bytes: InlineArray<count, UInt8>, separator: UInt8? = nil
) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(3 * count)
  for index in bytes.indices {
    if let separator, index > 0 { text.append(separator) }
    text.append(hexadecimalDigit(bytes[index] >> 4))
    text.append(hexadecimalDigit(bytes[index] & 0xF))
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns the ASCII code of one upper-case hexadecimal digit.
private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
}

/// Returns the value of a hexadecimal digit in either case, or `nil` for any other byte.
func hexadecimalValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  default: nil
  }
}

extension Substring {
  /// Returns a Boolean value that is true if it starts with some ASCII text, in either case.
  func hasASCIIPrefix(_ prefix: String) -> Bool {
    utf8.count >= prefix.utf8.count
      && zip(utf8, prefix.utf8).allSatisfy { own, other in
        own == other || (65...90).contains(own) && own + 32 == other
      }
  }

  /// The text without leading and trailing spaces.
  var trimmed: Substring {
    let rest = drop { $0 == " " }
    return rest[..<(rest.lastIndex { $0 != " " }.map(rest.index(after:)) ?? rest.startIndex)]
  }
}
