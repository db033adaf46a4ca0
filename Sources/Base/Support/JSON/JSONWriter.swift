/// A writer of JSON (RFC 8259) into a buffer, with keys in the given order.
package struct JSONWriter {
  package enum Layout {
    /// `{"a":[1,2]}`
    case compact
    /// `{"a": [1, 2]}`
    case spaced
    /// One member or element per line, except in lists without texts, lists and objects.
    case pretty
  }

  package private(set) var bytes: [UInt8] = []
  private let layout: Layout
  private let escapes: JSONEscapes
  /// The number of open objects and arrays.
  private var depth = 0
  /// A Boolean value that is true if the innermost object or array is empty.
  private var isEmpty = true
  /// A Boolean value that is true if its contents are on separate lines.
  private var breaksLines = false
  private var isAfterKey = false

  package init(_ layout: Layout = .compact, escapes: JSONEscapes = .long) {
    (self.layout, self.escapes) = (layout, escapes)
  }

  /// Returns an object on one line, with the line end.
  package static func line(
    escapes: JSONEscapes = .long, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter(escapes: escapes)
    json.object(members)
    return json.text + "\n"
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the text since the last call, so that a long document is never in memory as a whole.
  package mutating func takeText() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return text
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose("{", "}", onLines: layout == .pretty, members)
  }

  /// - Parameter onLines: A Boolean value that is true if the pretty layout puts each element on a
  ///   line.
  package mutating func array(onLines: Bool = true, _ elements: (inout JSONWriter) -> Void) {
    enclose("[", "]", onLines: layout == .pretty && onLines, elements)
  }

  package mutating func key(_ name: String) {
    separate()
    escapes.append(name, to: &bytes)
    switch layout {
    case .compact: bytes += ":".utf8
    case .spaced: bytes += ": ".utf8
    case .pretty: bytes += " : ".utf8
    }
    isAfterKey = true
  }

  /// Writes a text, or null for `nil`.
  package mutating func string(_ text: String?) {
    guard let text else { return null() }
    separate()
    escapes.append(text, to: &bytes)
  }

  package mutating func integer(_ value: some BinaryInteger) { append(value.description) }

  /// Writes the shortest number that reads back as the same value, without ".0", or null for `nil`,
  /// NaN and infinities.
  package mutating func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: Value?
  ) {
    guard let value, value.isFinite else { return null() }
    let text = value.description
    append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// Writes a number as formatted by the caller, such as with a number of decimals, or null for
  /// `nil`.
  package mutating func number(written text: String?) { append(text ?? "null") }

  package mutating func boolean(_ value: Bool) { append(value ? "true" : "false") }

  package mutating func null() { append("null") }

  private mutating func append(_ text: String) {
    separate()
    bytes += text.utf8
  }

  private mutating func enclose(
    _ opening: String, _ closing: String, onLines: Bool, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes += opening.utf8
    let outer = breaksLines
    (isEmpty, breaksLines) = (true, onLines)
    depth += 1
    body(&self)
    depth -= 1
    if onLines {
      // An empty object has an empty line.
      if isEmpty { bytes += "\n".utf8 }
      breakLine()
    }
    bytes += closing.utf8
    (isEmpty, breaksLines) = (false, outer)
  }

  /// Writes the separator between the previous element or member and this one.
  private mutating func separate() {
    defer { (isEmpty, isAfterKey) = (false, false) }
    if isAfterKey { return }
    if !isEmpty { bytes += (breaksLines || layout == .compact ? "," : ", ").utf8 }
    if breaksLines { breakLine() }
  }

  private mutating func breakLine() {
    bytes += "\n".utf8
    bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
  }
}

extension JSONWriter {
  /// Writes a text, or null for `nil`.
  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    string(text)
  }

  package mutating func member(_ name: String, _ count: Int) {
    key(name)
    integer(count)
  }

  /// Writes the shortest number that reads back as the same value, never a negative zero, or null
  /// for NaN and infinities.
  package mutating func member<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ name: String, number: Value
  ) {
    key(name)
    self.number(number + 0)
  }

  /// Writes a number as formatted by the caller, such as with a number of decimals, or null for
  /// `nil`.
  package mutating func member(_ name: String, written number: String?) {
    key(name)
    self.number(written: number)
  }

  package mutating func member(_ name: String, _ numbers: some Sequence<Int>) {
    key(name)
    array { json in for number in numbers { json.integer(number) } }
  }

  package mutating func member(_ name: String, _ texts: some Sequence<String>) {
    key(name)
    array { json in for text in texts { json.string(text) } }
  }
}

/// The escaping of characters in texts.
package enum JSONEscapes {
  /// Control characters as `\n`, or as `\u001b` if they have no letter.
  case short
  /// All control characters as `\u000a`.
  case long
  /// Safe inside a `<script>` of a page: nothing can end the script, and no control, separator or
  /// noncharacter remains.
  case script

  /// Appends a text with its quotes.
  func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case "\0"..<" ":
        if self == .short, let letter = Self.letter(scalar) {
          bytes += [UInt8(ascii: "\\"), UInt8(ascii: letter)]
        } else {
          Self.appendCode(of: scalar, to: &bytes)
        }
      case _ where self == .script && Self.steersPage(scalar):
        Self.appendCode(of: scalar, to: &bytes)
      case "\0"..."\u{7F}": bytes.append(UInt8(scalar.value))
      // Noncharacters are forbidden in a page, including its scripts.
      case _ where self == .script && Self.isNoncharacter(scalar): bytes += "\u{FFFD}".utf8
      default: bytes += String(scalar).utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func steersPage(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{7F}"..."\u{9F}": true
    default: false
    }
  }

  private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }

  private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\u{8}": "b"
    case "\t": "t"
    case "\n": "n"
    case "\u{C}": "f"
    case "\r": "r"
    default: nil
    }
  }

  private static func appendCode(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    let digits = String(scalar.value, radix: 16)
    bytes += "\\u".utf8
    bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
    bytes += digits.utf8
  }
}
