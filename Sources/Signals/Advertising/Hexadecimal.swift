/// Bytes as upper-case hexadecimal digits, two a byte, in order, with a separator between bytes.
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

/// The ASCII code of one upper-case hexadecimal digit.
private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
}
