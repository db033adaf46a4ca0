/// Converts a text in UTF-16, or with carriage returns alone at the ends of lines, to UTF-8 with
/// line feeds.
struct TextDecoder {
  /// The written form of a text.
  enum Form: Equatable {
    case utf16(isBigEndian: Bool)
    case carriageReturns
  }

  private let form: Form
  /// The first byte of a unit of which the second was not read yet.
  private var odd: UInt8?
  /// The first half of a character beyond the basic plane.
  private var high: UInt16?

  init(_ form: Form) { self.form = form }

  /// The form of a text by its first bytes; nil for one that needs no conversion.
  static func form(of start: Span<UInt8>) -> Form? {
    guard start.count >= 2 else { return nil }
    if start[0] == 0xFF, start[1] == 0xFE { return .utf16(isBigEndian: false) }
    if start[0] == 0xFE, start[1] == 0xFF { return .utf16(isBigEndian: true) }
    var hasReturn = false
    for index in start.indices {
      if start[index] == 0x0A { return nil }
      if start[index] == 0x0D { hasReturn = true }
    }
    return hasReturn ? .carriageReturns : nil
  }

  /// Appends the text of some more bytes; at most three bytes for each two.
  mutating func decode(_ bytes: [UInt8], into text: inout [UInt8]) {
    guard case .utf16(let isBigEndian) = form else {
      for byte in bytes { text.append(byte == 0x0D ? 0x0A : byte) }
      return
    }
    for byte in bytes {
      guard let first = odd else {
        odd = byte
        continue
      }
      odd = nil
      let unit =
        isBigEndian
        ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      take(unit, into: &text)
    }
  }

  private mutating func take(_ unit: UInt16, into text: inout [UInt8]) {
    if let first = high {
      high = nil
      if UTF16.isTrailSurrogate(unit) {
        let value = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(unit & 0x3FF))
        if let scalar = Unicode.Scalar(value) { text += Array(String(scalar).utf8) }
        return
      }
      text += [0xEF, 0xBF, 0xBD]
    }
    if UTF16.isLeadSurrogate(unit) {
      high = unit
    } else {
      switch unit {
      case ..<0x80: text.append(UInt8(unit))
      case ..<0x800: text += [0xC0 | UInt8(unit >> 6), 0x80 | UInt8(unit & 0x3F)]
      default:
        text += [
          0xE0 | UInt8(unit >> 12), 0x80 | UInt8(unit >> 6 & 0x3F), 0x80 | UInt8(unit & 0x3F),
        ]
      }
    }
  }
}
