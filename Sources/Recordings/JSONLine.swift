/// One line of NDJSON: a flat object of strings and numbers, read without allocating per line.
///
/// RFC 8259, but for nested values: those under keys that nobody asks for are passed over.
struct JSONLine {
  enum Value: Equatable {
    case string(Range<Int>)
    case number(Range<Int>)
    case null
    case other
  }

  /// The text of keys and strings, with escapes resolved.
  private(set) var bytes: [UInt8] = []
  private var members: [(key: Range<Int>, value: Value)] = []

  /// Reads a line; false where it is not one JSON object.
  mutating func parse(_ line: Span<UInt8>) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    var i = 0
    skipSpace(line, &i)
    guard take("{", line, &i) else { return false }
    skipSpace(line, &i)
    if !take("}", line, &i) {
      repeat {
        skipSpace(line, &i)
        guard let key = string(line, &i) else { return false }
        skipSpace(line, &i)
        guard take(":", line, &i) else { return false }
        skipSpace(line, &i)
        guard let value = value(line, &i) else { return false }
        members.append((key, value))
        skipSpace(line, &i)
      } while take(",", line, &i)
      guard take("}", line, &i) else { return false }
    }
    skipSpace(line, &i)
    return i == line.count
  }

  /// The value of a key; the last one where it is repeated, nil where it is absent.
  subscript(key: StaticString) -> Value? {
    for member in members.reversed() where matches(member.key, key) { return member.value }
    return nil
  }

  /// A number, nil where there is none; a value of another type is `malformed`.
  func number(_ key: StaticString, malformed: inout Bool) -> Range<Int>? {
    switch self[key] {
    case .number(let range): return range
    case nil, .null: return nil
    case .string, .other:
      malformed = true
      return nil
    }
  }

  /// A string, nil where there is none; a value of another type is `malformed`.
  func string(_ key: StaticString, malformed: inout Bool) -> Range<Int>? {
    switch self[key] {
    case .string(let range): return range
    case nil, .null: return nil
    case .number, .other:
      malformed = true
      return nil
    }
  }

  private func matches(_ range: Range<Int>, _ key: StaticString) -> Bool {
    guard range.count == key.utf8CodeUnitCount else { return false }
    return key.description.utf8.elementsEqual(bytes[range])
  }

  private func skipSpace(_ line: Span<UInt8>, _ i: inout Int) {
    while i < line.count, line[i] == 32 || line[i] == 9 || line[i] == 13 { i += 1 }
  }

  private func take(_ character: Unicode.Scalar, _ line: Span<UInt8>, _ i: inout Int) -> Bool {
    guard i < line.count, line[i] == UInt8(ascii: character) else { return false }
    i += 1
    return true
  }

  private mutating func value(_ line: Span<UInt8>, _ i: inout Int) -> Value? {
    guard i < line.count else { return nil }
    switch line[i] {
    case UInt8(ascii: "\""): return string(line, &i).map(Value.string)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nested(line, &i) ? .other : nil
    case UInt8(ascii: "-"), 48...57:
      let start = bytes.count
      while i < line.count, isNumberByte(line[i]) {
        bytes.append(line[i])
        i += 1
      }
      return .number(start..<bytes.count)
    case UInt8(ascii: "n"): return word("null", line, &i) ? .null : nil
    case UInt8(ascii: "t"): return word("true", line, &i) ? .other : nil
    case UInt8(ascii: "f"): return word("false", line, &i) ? .other : nil
    default: return nil
    }
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+") || byte | 0x20 == UInt8(ascii: "e")
  }

  private func word(_ word: StaticString, _ line: Span<UInt8>, _ i: inout Int) -> Bool {
    for byte in word.description.utf8 {
      guard i < line.count, line[i] == byte else { return false }
      i += 1
    }
    return true
  }

  /// Passes over an object or an array without recursion.
  private func nested(_ line: Span<UInt8>, _ i: inout Int) -> Bool {
    var depth = 0
    var inString = false
    while i < line.count {
      let byte = line[i]
      i += 1
      if inString {
        if byte == UInt8(ascii: "\\") { i += 1 }
        if byte == UInt8(ascii: "\"") { inString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        if depth == 0 { return true }
      }
    }
    return false
  }

  private mutating func string(_ line: Span<UInt8>, _ i: inout Int) -> Range<Int>? {
    guard take("\"", line, &i) else { return nil }
    let start = bytes.count
    while i < line.count {
      let byte = line[i]
      i += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<bytes.count
      case UInt8(ascii: "\\"):
        guard escape(line, &i) else { return nil }
      case 0..<32: return nil
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private mutating func escape(_ line: Span<UInt8>, _ i: inout Int) -> Bool {
    guard i < line.count else { return false }
    let byte = line[i]
    i += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(8)
    case UInt8(ascii: "f"): bytes.append(12)
    case UInt8(ascii: "n"): bytes.append(10)
    case UInt8(ascii: "r"): bytes.append(13)
    case UInt8(ascii: "t"): bytes.append(9)
    case UInt8(ascii: "u"):
      guard var code = hexadecimal(line, &i) else { return false }
      if (0xD800..<0xDC00).contains(code) {
        guard take("\\", line, &i), take("u", line, &i), let low = hexadecimal(line, &i),
          (0xDC00..<0xE000).contains(low)
        else { return false }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return false }
      bytes.append(contentsOf: String(Character(scalar)).utf8)
    default: return false
    }
    return true
  }

  private func hexadecimal(_ line: Span<UInt8>, _ i: inout Int) -> UInt32? {
    guard i + 4 <= line.count else { return nil }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(line[i])).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
      i += 1
    }
    return code
  }
}
