internal import Support

// The parts of a line of text.
extension ArraySlice<UInt8> {
  /// The text without spaces and tabs at either end.
  var trimmed: ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let rest = drop(while: isSpace)
    return rest.prefix(
      (rest.lastIndex { !isSpace($0) } ?? rest.startIndex - 1) + 1 - rest.startIndex)
  }

  /// Returns the text after the first occurrence of a word, or `nil` if there is none.
  func after(_ word: StaticString) -> ArraySlice<UInt8>? {
    place(of: word).map { self[$0.upperBound...] }
  }

  /// Returns the text before the first occurrence of a word, or `nil` if there is none.
  func before(_ word: StaticString) -> ArraySlice<UInt8>? {
    place(of: word).map { self[..<$0.lowerBound] }
  }

  private func place(of word: StaticString) -> Range<Int>? {
    let count = word.utf8CodeUnitCount
    let wanted = UnsafeBufferPointer(start: word.utf8Start, count: count)
    guard let first = wanted.first, count <= self.count else { return nil }
    var place = startIndex
    while place <= endIndex - count {
      guard let found = self[place..<(endIndex - count + 1)].firstIndex(of: first) else {
        return nil
      }
      if self[found..<found + count].elementsEqual(wanted) { return found..<found + count }
      place = found + 1
    }
    return nil
  }

  func starts(with word: StaticString) -> Bool {
    starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Returns the fields of a row, without the quotes around them; quoted ones may have separators, and
  /// quotes that are doubled.
  func fields(
    _ separator: UInt8 = UInt8(ascii: ","), quotes: StaticString = "\""
  ) -> [ArraySlice<UInt8>] {
    let marks = UnsafeBufferPointer(start: quotes.utf8Start, count: quotes.utf8CodeUnitCount)
    var fields: [ArraySlice<UInt8>] = []
    var start = startIndex
    var quote: UInt8?
    for place in indices {
      let byte = self[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == separator {
        fields.append(self[start..<place].unquoted)
        start = place + 1
      } else if marks.contains(byte),
        place == start || byte == self[start] && byte == self[place - 1]
      {
        quote = byte
      }
    }
    return fields + [self[start...].unquoted]
  }

  /// The text without quotes around it.
  var unquoted: ArraySlice<UInt8> {
    guard count >= 2, let quote = first, quote == last, "\"'".utf8.contains(quote) else {
      return self
    }
    return dropFirst().dropLast()
  }

  /// The whole number at the start; nil if there is none.
  var leadingNumber: Int? {
    let digits = prefix { $0 >= 48 && $0 <= 57 || $0 == UInt8(ascii: "-") }
    return digits.count <= 15 ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// The hexadecimal number at the start; nil if there is none.
  var leadingHexadecimal: Int? {
    let digits = prefix { hexadecimalDigit($0) != nil }
    return digits.count <= 8 ? Int(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }

  /// The text without the escape sequences with which programs colour it.
  var uncoloured: [UInt8] {
    var text: [UInt8] = []
    var isEscape = false
    for byte in self {
      if byte == 0x1B {
        isEscape = true
      } else if isEscape {
        // A sequence ends with a letter.
        if byte | 0x20 >= 97, byte | 0x20 <= 122 { isEscape = false }
      } else {
        text.append(byte)
      }
    }
    return text
  }
}
