/// One line of NDJSON: a flat object of strings and numbers, read without allocating per line.
///
/// RFC 8259; nested values are checked and passed over.
struct JSONLine {
  enum Value: Equatable {
    case string(Range<Int>)
    case number(Range<Int>)
    case null
    case other
  }

  /// The text of keys and strings, with escapes resolved.
  private(set) var bytes: [UInt8] = []
  /// The ends of the nested values that are open.
  private var closers: [Unicode.Scalar] = []
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
    case UInt8(ascii: "-"), 48...57: return number(line, &i).map(Value.number)
    case UInt8(ascii: "n"): return word("null", line, &i) ? .null : nil
    case UInt8(ascii: "t"): return word("true", line, &i) ? .other : nil
    case UInt8(ascii: "f"): return word("false", line, &i) ? .other : nil
    default: return nil
    }
  }

  /// Takes a number as RFC 8259 writes it: no plus sign, no leading zero, digits around a point.
  private mutating func number(_ line: Span<UInt8>, _ i: inout Int) -> Range<Int>? {
    let first = i
    _ = take("-", line, &i)
    let whole = i
    guard digits(line, &i) > 0, i == whole + 1 || line[whole] != 48 else { return nil }
    if take(".", line, &i), digits(line, &i) == 0 { return nil }
    if take("e", line, &i) || take("E", line, &i) {
      if !take("-", line, &i) { _ = take("+", line, &i) }
      if digits(line, &i) == 0 { return nil }
    }
    let start = bytes.count
    for k in first..<i { bytes.append(line[k]) }
    return start..<bytes.count
  }

  /// Passes over digits and counts them.
  private func digits(_ line: Span<UInt8>, _ i: inout Int) -> Int {
    let start = i
    while i < line.count, (48...57).contains(line[i]) { i += 1 }
    return i - start
  }

  private func word(_ word: StaticString, _ line: Span<UInt8>, _ i: inout Int) -> Bool {
    for byte in word.description.utf8 {
      guard i < line.count, line[i] == byte else { return false }
      i += 1
    }
    return true
  }

  /// Passes over an object or an array without recursion; false where it is malformed.
  private mutating func nested(_ line: Span<UInt8>, _ i: inout Int) -> Bool {
    let kept = bytes.count
    defer { bytes.removeSubrange(kept...) }
    closers.removeAll(keepingCapacity: true)
    while true {
      let isEmpty: Bool
      if take("{", line, &i) {
        closers.append("}")
        skipSpace(line, &i)
        isEmpty = i < line.count && line[i] == UInt8(ascii: "}")
        guard isEmpty || key(line, &i) else { return false }
      } else if take("[", line, &i) {
        closers.append("]")
        skipSpace(line, &i)
        isEmpty = i < line.count && line[i] == UInt8(ascii: "]")
      } else {
        guard value(line, &i) != nil else { return false }
        isEmpty = true
      }
      guard isEmpty else { continue }
      guard leave(line, &i) else { return false }
      if closers.isEmpty { return true }
    }
  }

  /// Takes what may stand behind a value: ends of what it is in, and a comma with the next key.
  private mutating func leave(_ line: Span<UInt8>, _ i: inout Int) -> Bool {
    while let closer = closers.last {
      skipSpace(line, &i)
      if take(closer, line, &i) {
        closers.removeLast()
      } else {
        guard take(",", line, &i) else { return false }
        skipSpace(line, &i)
        return closer == "]" || key(line, &i)
      }
    }
    return true
  }

  /// Takes a key of a nested object up to its value.
  private mutating func key(_ line: Span<UInt8>, _ i: inout Int) -> Bool {
    guard string(line, &i) != nil else { return false }
    skipSpace(line, &i)
    guard take(":", line, &i) else { return false }
    skipSpace(line, &i)
    return true
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
