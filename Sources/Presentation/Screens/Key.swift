/// What a person can press.
package enum Key: Equatable, Sendable {
  case quit, radar
  case up, down, pageUp, pageDown, home, end
}

/// Bytes of a terminal in, keys out; a sequence may come in pieces.
package struct KeyReader: Sendable {
  private enum State { case plain, escape, sequence, single }
  private var state = State.plain
  private var parameters: [UInt8] = []

  package init() {}

  /// Keys that mean nothing are passed over.
  package mutating func keys(in bytes: [UInt8]) -> [Key] {
    bytes.compactMap { take($0) }
  }

  private mutating func take(_ byte: UInt8) -> Key? {
    switch state {
    case .plain, .escape:
      let wasEscape = state == .escape
      state = .plain
      switch byte {
      case 0x1B: state = .escape
      case UInt8(ascii: "[") where wasEscape: (state, parameters) = (.sequence, [])
      case UInt8(ascii: "O") where wasEscape: state = .single
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
      case UInt8(ascii: "r"), UInt8(ascii: "R"): return .radar
      default: break
      }
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
