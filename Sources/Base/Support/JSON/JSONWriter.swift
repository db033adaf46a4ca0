/// Writes JSON (RFC 8259) into a buffer, keys in the order in which they are given.
package struct JSONWriter {
  package enum Layout {
    /// `{"a":[1,2]}`
    case compact
    /// `{"a": [1, 2]}`
    case spaced
    /// A member or an element a line, but for lists without texts, lists and objects.
    case pretty
  }

  package private(set) var bytes: [UInt8] = []
  private let layout: Layout
  private let escapes: JSONEscapes
  /// How many objects and arrays are open.
  private var depth = 0
  /// Whether the innermost object or array has nothing in it.
  private var isEmpty = true
  /// Whether what is in it stands on lines of its own.
  private var breaksLines = false
  private var isAfterKey = false

  package init(_ layout: Layout = .compact, escapes: JSONEscapes = .long) {
    (self.layout, self.escapes) = (layout, escapes)
  }

  /// An object on one line, with its end.
  package static func line(
    escapes: JSONEscapes = .long, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter(escapes: escapes)
    json.object(members)
    return json.text + "\n"
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Hands out what was written since the last call, so that a long document is never in memory
  /// whole.
  package mutating func takeText() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return text
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose("{", "}", onLines: layout == .pretty, members)
  }

  /// - Parameter onLines: whether the pretty layout gives each element a line.
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

  /// A text; null for nil.
  package mutating func string(_ text: String?) {
    guard let text else { return null() }
    separate()
    escapes.append(text, to: &bytes)
  }

  package mutating func integer(_ value: some BinaryInteger) { append(value.description) }

  /// The shortest number that reads back as the same value, without ".0"; null for nil, NaN and
  /// infinities.
  package mutating func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: Value?
  ) {
    guard let value, value.isFinite else { return null() }
    let text = value.description
    append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// A number as formatted by the caller, such as with a count of decimals; null for nil.
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

  /// Writes what stands between the element or member before and this one.
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
