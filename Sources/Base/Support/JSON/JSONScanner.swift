/// A scanner of JSON tokens (RFC 8259).
struct JSONScanner {
  /// The start of the next token.
  private(set) var offset = 0

  mutating func skipSpace(_ text: Span<UInt8>) {
    while offset < text.count, Self.isSpace(text[offset]) { offset += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 10 || byte == 13
  }

  func isAt(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    offset < text.count && text[offset] == UInt8(ascii: character)
  }

  mutating func take(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard isAt(character, text) else { return false }
    offset += 1
    return true
  }

  mutating func word(_ word: StaticString, _ text: Span<UInt8>) -> Bool {
    for byte in word.description.utf8 {
      guard offset < text.count, text[offset] == byte else { return false }
      offset += 1
    }
    return true
  }

  /// Scans a number and appends its text: no plus sign, no leading zero, digits around a point.
  mutating func number(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
    let first = offset
    _ = take("-", text)
    let whole = offset
    guard digits(text) > 0, offset == whole + 1 || text[whole] != UInt8(ascii: "0") else {
      return false
    }
    if take(".", text), digits(text) == 0 { return false }
    if take("e", text) || take("E", text) {
      if !take("-", text) { _ = take("+", text) }
      if digits(text) == 0 { return false }
    }
    append(first..<offset, of: text, to: &bytes)
    return true
  }

  /// Scans a string and appends its text with escapes resolved.
  mutating func string(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
    guard take("\"", text) else { return false }
    while true {
      let first = offset
      while offset < text.count, Self.isPlain(text[offset]) { offset += 1 }
      append(first..<offset, of: text, to: &bytes)
      if take("\"", text) { return true }
      guard take("\\", text), escape(text, into: &bytes) else { return false }
    }
  }

  /// Returns a Boolean value that is true if a byte of a string stands for itself.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 32 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private func append(_ range: Range<Int>, of text: Span<UInt8>, to bytes: inout [UInt8]) {
    text.extracting(range).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// Skips digits and counts them.
  private mutating func digits(_ text: Span<UInt8>) -> Int {
    let start = offset
    while offset < text.count, (48...57).contains(text[offset]) { offset += 1 }
    return offset - start
  }

  private mutating func escape(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
    guard offset < text.count else { return false }
    let byte = text[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(8)
    case UInt8(ascii: "f"): bytes.append(12)
    case UInt8(ascii: "n"): bytes.append(10)
    case UInt8(ascii: "r"): bytes.append(13)
    case UInt8(ascii: "t"): bytes.append(9)
    case UInt8(ascii: "u"):
      guard let scalar = scalar(text) else { return false }
      bytes.append(contentsOf: String(Character(scalar)).utf8)
    default: return false
    }
    return true
  }

  /// Scans the digits after `\u`, including a pair of surrogates.
  private mutating func scalar(_ text: Span<UInt8>) -> Unicode.Scalar? {
    guard var code = hexadecimal(text) else { return nil }
    if (0xD800..<0xDC00).contains(code) {
      guard take("\\", text), take("u", text), let low = hexadecimal(text),
        (0xDC00..<0xE000).contains(low)
      else { return nil }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    return Unicode.Scalar(code)
  }

  private mutating func hexadecimal(_ text: Span<UInt8>) -> UInt32? {
    guard offset + 4 <= text.count else { return nil }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalDigit(text[offset]) else { return nil }
      code = code << 4 | UInt32(digit)
      offset += 1
    }
    return code
  }
}
