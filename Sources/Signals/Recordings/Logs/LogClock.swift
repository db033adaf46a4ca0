internal import Sightings

/// The times in a text: Unix seconds, dates, or times of the day alone.
struct LogClock {
  /// A Boolean value that is true if a date had no time zone, and was read as UTC.
  private(set) var isLocal = false
  /// A Boolean value that is true if a time had no date.
  private(set) var hasNoDate = false
  private var day: Int64 = 0
  private var latest: Int64?

  private static let dayLength = 86_400 * Timestamp.second

  /// Returns a time in nanoseconds since the Unix epoch, of times of the day since the first
  /// midnight; nil for other texts.
  mutating func time(_ text: ArraySlice<UInt8>) -> Int64? {
    let text = text.trimmed
    if let seconds = DecimalNumber.nanoseconds(text.span) { return seconds }
    // Milliseconds, as many programs write them, have too many digits for seconds.
    if let time = DecimalNumber.nanoseconds(text.span, power: -3) { return time }
    if let local = Timestamp.local(iso8601: text.span) {
      if local.offset == nil { isLocal = true }
      return Timestamp.nanoseconds(local.seconds - (local.offset ?? 0), local.nanoseconds)
    }
    guard text.count >= 8, text.count <= 18, text.dropFirst(2).first == UInt8(ascii: ":") else {
      return nil
    }
    let date = Array("1970-01-01T".utf8) + text
    guard let local = Timestamp.local(iso8601: date.span), local.offset == nil else { return nil }
    hasNoDate = true
    let sinceMidnight = local.seconds * Timestamp.second + local.nanoseconds
    var time = Timestamp.moved(day, by: sinceMidnight)
    if let latest, time < latest - Self.dayLength / 2 {
      day = Timestamp.moved(day, by: Self.dayLength)
      time = Timestamp.moved(day, by: sinceMidnight)
    }
    latest = max(latest ?? time, time)
    return time
  }

  /// A sentence for users; nil if the times were complete.
  var note: String? {
    if hasNoDate { return "its times have no date: they are those of 1970-01-01, as of UTC" }
    return isLocal ? "its times have no time zone: they are read as UTC" : nil
  }
}

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

  /// Returns the fields of a row, without the quotes around them; quoted ones may have separators.
  func fields(_ separator: UInt8) -> [ArraySlice<UInt8>] {
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
      } else if place == start, "\"'".utf8.contains(byte) {
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
