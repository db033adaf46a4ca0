/// Returns the value of a hexadecimal digit in either case, or `nil` for anything else.
package func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 48...57: byte - 48
  case 65...70: byte - 55
  case 97...102: byte - 87
  default: nil
  }
}

/// Decoding of hexadecimal digits and base64.
extension [UInt8] {
  /// Appends the bytes of hexadecimal digits, two digits per byte; returns `false`, with nothing
  /// appended, for anything else.
  package mutating func append(hexadecimal text: ArraySlice<UInt8>) -> Bool {
    guard text.count.isMultiple(of: 2) else { return false }
    let start = count
    var high: UInt8?
    for byte in text {
      guard let digit = hexadecimalDigit(byte) else {
        removeSubrange(start...)
        return false
      }
      if let first = high {
        append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return true
  }

  /// Appends the bytes of base64 (RFC 4648, section 4; padding may be missing); returns `false`,
  /// with nothing appended, for anything else.
  package mutating func append(base64 text: ArraySlice<UInt8>) -> Bool {
    let start = count
    var digits = text
    while digits.last == UInt8(ascii: "="), text.endIndex - digits.endIndex < 2 {
      digits.removeLast()
    }
    var bits: UInt32 = 0
    var held = 0
    for byte in digits {
      guard let digit = base64Digit(byte) else {
        removeSubrange(start...)
        return false
      }
      bits = bits << 6 | UInt32(digit)
      held += 6
      if held >= 8 {
        held -= 8
        append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    // Six bits alone are not a byte.
    guard held < 6 else {
      removeSubrange(start...)
      return false
    }
    return true
  }
}

/// Returns bytes as base64 (RFC 4648, section 4), padded.
package func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let length = (bytes.count + 2) / 3 * 4
  return String(unsafeUninitializedCapacity: length) { text in
    for (group, start) in stride(from: 0, to: bytes.count, by: 3).enumerated() {
      let some = bytes[start..<min(start + 3, bytes.count)]
      let bits = some.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - some.count))
      for place in 0..<4 {
        text[4 * group + place] =
          place <= some.count
          ? digits[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : UInt8(ascii: "=")
      }
    }
    return length
  }
}

private func base64Digit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 65...90: byte - 65
  case 97...122: byte - 71
  case 48...57: byte + 4
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
