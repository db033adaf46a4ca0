/// A key that a user can press.
package enum Key: Equatable, Sendable {
  case character(Unicode.Scalar)
  case enter, escape, backspace
  case up, down, pageUp, pageDown, home, end
}

/// Turns bytes of a terminal into keys; a sequence may come in pieces.
package struct KeyReader: Sendable {
  private enum State { case plain, escape, sequence, single }
  private var state = State.plain
  private var parameters: [UInt8] = []
  /// A character that has begun, and the number of its missing bytes.
  private var character: (bytes: [UInt8], missing: Int) = ([], 0)
  /// The time of the last byte, in nanoseconds of a clock that is never set.
  private var newest: Int64 = 0

  /// The time within which a sequence continues, in nanoseconds; Escape alone is the key.
  private static let patience: Int64 = 100_000_000

  package init() {}

  /// Returns the keys in some bytes; unknown ones are skipped.
  ///
  /// - Parameter now: nanoseconds of a clock that is never set.
  package mutating func keys(in bytes: [UInt8], at now: Int64) -> [Key] {
    var keys: [Key] = []
    if state == .escape, now - newest > Self.patience {
      keys.append(.escape)
      state = .plain
    }
    for byte in bytes {
      // A key after Escape stands for itself, unless it begins a sequence.
      if state == .escape, byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") {
        keys.append(.escape)
        state = .plain
      }
      if let key = take(byte) { keys.append(key) }
      newest = now
    }
    return keys
  }

  private mutating func take(_ byte: UInt8) -> Key? {
    switch state {
    case .plain: return plain(byte)
    case .escape:
      (state, parameters) = (byte == UInt8(ascii: "[") ? .sequence : .single, [])
      return nil
    case .sequence:
      if (0x20...0x3F).contains(byte) {
        if parameters.count < 16 { parameters.append(byte) }
        return nil
      }
      state = byte == 0x1B ? .escape : .plain
      return byte == UInt8(ascii: "~") ? Self.numbered(parameters) : Self.lettered(byte)
    case .single:
      state = .plain
      return Self.lettered(byte)
    }
  }

  private mutating func plain(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B:
      state = .escape
      return nil
    case 0x0A, 0x0D: return .enter
    case 0x08, 0x7F: return .backspace
    case 0x20..<0x7F: return .character(Unicode.Scalar(byte))
    case 0x80...: return part(byte)
    default: return nil
    }
  }

  /// Takes one byte of a non-ASCII character of UTF-8.
  private mutating func part(_ byte: UInt8) -> Key? {
    switch byte {
    case 0xC2...0xDF: character = ([byte], 1)
    case 0xE0...0xEF: character = ([byte], 2)
    case 0xF0...0xF4: character = ([byte], 3)
    case 0x80...0xBF where character.missing > 0:
      character.bytes.append(byte)
      character.missing -= 1
    default: character = ([], 0)
    }
    guard character.missing == 0, !character.bytes.isEmpty else { return nil }
    defer { character = ([], 0) }
    return String(validating: character.bytes, as: UTF8.self)?.unicodeScalars.first
      .map(Key.character)
  }

  private static func lettered(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private static func numbered(_ parameters: [UInt8]) -> Key? {
    switch parameters {
    case [UInt8(ascii: "5")]: .pageUp
    case [UInt8(ascii: "6")]: .pageDown
    case [UInt8(ascii: "1")], [UInt8(ascii: "7")]: .home
    case [UInt8(ascii: "4")], [UInt8(ascii: "8")]: .end
    default: nil
    }
  }
}
