/// A nested JSON document (RFC 8259) as a flat list of values, read without recursion.
///
/// Depth is bounded, so that code that walks through a message cannot exhaust the stack, and the
/// memory of one document serves the next: reading line after line allocates nothing.
package final class JSONDocument {
  private var values: JSONValues

  /// How deep objects and arrays may lie within each other, where nothing else is given.
  package static let maximumDepth = 32

  /// - Parameters:
  ///   - maximumValues: bounds the memory that a text can take, 48 bytes a value.
  ///   - maximumDepth: how deep objects and arrays may lie within each other.
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
    /// Where the name of a member is in `bytes`; empty for an element.
    package var name: Range<Int>
    /// Where the text of a string or a number is in `bytes`.
    package var text: Range<Int>
    /// The index after the last value within this one.
    package var end: Int
  }

  /// The text of names, strings and numbers, with escapes resolved.
  package var bytes: [UInt8] { values.bytes }
  /// The values in the order of the text, each before those within it.
  package var nodes: [Node] { values.nodes }

  /// The outermost value of a document that was read.
  package var root: JSONElement { JSONElement(document: self, index: 0) }

  /// Reads a document; false where the text is none, is nested too deeply or has too many values.
  package func parse(_ text: Span<UInt8>) -> Bool {
    // As a local value, so that the compiler does not check for exclusive access at each byte.
    var values = values.taken()
    defer { self.values = values }
    return values.parse(text)
  }

  /// The index of the last member of this name; nil where there is none.
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
