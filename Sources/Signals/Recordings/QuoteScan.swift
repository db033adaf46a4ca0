import Support

/// Finds where a CSV row ends whose quoted fields may hold line breaks (RFC 4180).
struct QuoteScan {
  private enum State { case fieldStart, plain, quoted, afterQuote, afterReturn }

  private var state = State.fieldStart
  private var passed = 0
  /// Where the line break behind the row is, from the first byte passed over.
  private(set) var end: Int?
  /// Whether something else than a comma or the end follows a quoted field.
  private(set) var isBad = false
  /// Whether a quoted field has no end yet.
  var isOpen: Bool { state == .quoted }

  /// Goes on with the bytes that follow those before.
  mutating func pass(over bytes: Span<UInt8>) {
    for i in bytes.indices {
      if end != nil || isBad { return }
      step(bytes[i])
      passed += 1
    }
  }

  private mutating func step(_ byte: UInt8) {
    switch (state, byte) {
    case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
    case (.quoted, _): break
    case (_, UInt8(ascii: "\n")): end = passed
    case (.fieldStart, UInt8(ascii: "\"")), (.afterQuote, UInt8(ascii: "\"")): state = .quoted
    case (.fieldStart, UInt8(ascii: ",")), (.plain, UInt8(ascii: ",")),
      (.afterQuote, UInt8(ascii: ",")):
      state = .fieldStart
    case (.fieldStart, _), (.plain, _): state = .plain
    case (.afterQuote, UInt8(ascii: "\r")): state = .afterReturn
    case (.afterQuote, _), (.afterReturn, _): isBad = true
    }
  }
}
