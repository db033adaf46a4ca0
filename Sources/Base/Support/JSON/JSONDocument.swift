/// A nested JSON document (RFC 8259) as a flat list of values, parsed without recursion.
///
/// Depth is bounded, so that code that traverses a message cannot exhaust the stack, and the memory
/// of one document is reused for the next: reading line after line allocates nothing.
package final class JSONDocument {
  private var values: JSONValues

  /// The default nesting depth of objects and arrays.
  package static let maximumDepth = 32

  /// - Parameters:
  ///   - maximumValues: The largest number of values, which bounds the memory to 48 bytes per
  ///     value.
  ///   - maximumDepth: The largest nesting depth of objects and arrays.
  package init(maximumValues: Int = .max, maximumDepth: Int = JSONDocument.maximumDepth) {
    values = JSONValues(maximumValues: maximumValues, maximumDepth: maximumDepth)
  }

  package enum Kind {
    case object
    case array
    case string
    case number
    case `true`
    case `false`
    case null
  }

  package struct Node {
    package var kind: Kind
    /// The range of a member's name in `bytes`; empty for an element.
    package var name: Range<Int>
    /// The range of the text of a string or a number in `bytes`.
    package var text: Range<Int>
    /// The index after the last value within this one.
    package var end: Int
  }

  /// The text of names, strings and numbers, with escapes resolved.
  package var bytes: [UInt8] { values.bytes }
  /// The values in the order of the text, each before those within it.
  package var nodes: [Node] { values.nodes }

  /// The outermost value of a parsed document.
  package var root: JSONElement { JSONElement(document: self, index: 0) }

  /// Parses a document; returns `false` if the text is invalid, is nested too deeply or has too
  /// many values.
  package func parse(_ text: Span<UInt8>) -> Bool {
    // A local value, so that the compiler does not check for exclusive access at each byte.
    var values = values.taken()
    defer { self.values = values }
    return values.parse(text)
  }

  /// Returns the index of the last member with this name, or `nil` if there is none.
  func member(_ name: StaticString, of container: Int) -> Int? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var found: Int?
    var index = container + 1
    while index < nodes[container].end {
      let own = nodes[index].name
      if own.count == wanted.count, bytes[own].elementsEqual(wanted) { found = index }
      index = nodes[index].end
    }
    return found
  }
}

/// A value of a JSON document, valid until the next document is parsed.
package struct JSONElement {
  package let document: JSONDocument
  package let index: Int

  private var node: JSONDocument.Node { document.nodes[index] }

  package var kind: JSONDocument.Kind { node.kind }

  /// The name of a member; empty for an element.
  package var name: ArraySlice<UInt8> { document.bytes[node.name] }

  /// The UTF-8 of a string; `nil` for anything else.
  package var text: ArraySlice<UInt8>? { kind == .string ? document.bytes[node.text] : nil }

  /// The range of the text of a string or a number in the bytes of the document.
  package var place: Range<Int> { node.text }

  /// A finite number, or a string that contains one, as some gateways write them; `nil` for
  /// anything else.
  package var number: Double? {
    guard kind == .number || kind == .string else { return nil }
    let text = document.bytes[node.text]
    guard !text.isEmpty, text.count < 64, text.allSatisfy(Self.isNumeric) else { return nil }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A whole number of 64 bits, exactly; `nil` for anything else.
  package var integer: Int64? {
    guard kind == .number, node.text.count <= 20 else { return nil }
    return Int64(String(decoding: document.bytes[node.text], as: UTF8.self))
  }

  /// Returns a member, the last one of repeated names, or `nil` if there is none or it is null.
  package subscript(name: StaticString) -> JSONElement? {
    guard kind == .object, let found = document.member(name, of: index),
      document.nodes[found].kind != .null
    else { return nil }
    return JSONElement(document: document, index: found)
  }

  /// Returns a Boolean value that is true if there is a member of this name, including null.
  package func has(_ name: StaticString) -> Bool {
    kind == .object && document.member(name, of: index) != nil
  }

  /// Returns the range of the text of a member of one kind, or `nil` if there is none or it is
  /// null; a member of another kind is `malformed`.
  package func place(
    of name: StaticString, _ kind: JSONDocument.Kind, malformed: inout Bool
  ) -> Range<Int>? {
    guard let member = self[name] else { return nil }
    let isOfKind = member.kind == kind
    if !isOfKind { malformed = true }
    return isOfKind ? member.place : nil
  }

  /// The members of an object or the elements of an array; none for anything else.
  package var children: Children { Children(document: document, index: index + 1, end: node.end) }

  package struct Children: Sequence, IteratorProtocol {
    let document: JSONDocument
    var index: Int
    let end: Int

    package mutating func next() -> JSONElement? {
      guard index < end else { return nil }
      defer { index = document.nodes[index].end }
      return JSONElement(document: document, index: index)
    }
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || [43, 45, 46, 69, 101].contains(byte)
  }
}
