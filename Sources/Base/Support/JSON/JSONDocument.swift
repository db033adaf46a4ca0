/// A nested JSON document (RFC 8259) as a flat list of values, read without recursion.
///
/// Depth is bounded, so that no message can exhaust the stack, and the memory of one document
/// serves the next.
package final class JSONDocument {
  /// The most values of a document; a longer one is refused.
  private let maximumValues: Int

  /// - Parameter maximumValues: bounds the memory that a text can take, 48 bytes a value.
  package init(maximumValues: Int = .max) { self.maximumValues = maximumValues }

  /// How deep objects and arrays may lie within each other.
  package static let maximumDepth = 32

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
  package private(set) var bytes: [UInt8] = []
  /// The values in the order of the text, each before those within it.
  package private(set) var nodes: [Node] = []
  /// The indices of the objects and arrays that are open.
  private var open: [Int] = []

  /// The outermost value of a document that was read.
  package var root: JSONElement { JSONElement(document: self, index: 0) }

  /// Reads a document; false where the text is none, is nested too deeply or has too many values.
  package func parse(_ text: Span<UInt8>) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    var scanner = JSONScanner()
    var name = 0..<0
    while true {
      scanner.skipSpace(text)
      guard let kind = value(&scanner, text, name: name) else { return false }
      name = 0..<0
      if kind == .object || kind == .array {
        open.append(nodes.count - 1)
        guard open.count <= Self.maximumDepth else { return false }
        scanner.skipSpace(text)
        if !scanner.isAt(closer(of: kind), text) {
          if kind == .object {
            guard let key = key(&scanner, text) else { return false }
            name = key
          }
          continue
        }
      }
      guard let next = leave(&scanner, text) else { return false }
      if open.isEmpty {
        scanner.skipSpace(text)
        return scanner.offset == text.count
      }
      name = next
    }
  }

  /// Takes one value, or the start of one that holds others, and adds its node.
  private func value(
    _ scanner: inout JSONScanner, _ text: Span<UInt8>, name: Range<Int>
  ) -> Kind? {
    guard scanner.offset < text.count else { return nil }
    let start = bytes.count
    let kind: Kind
    switch text[scanner.offset] {
    case UInt8(ascii: "{"):
      _ = scanner.take("{", text)
      kind = .object
    case UInt8(ascii: "["):
      _ = scanner.take("[", text)
      kind = .array
    case UInt8(ascii: "\""):
      guard scanner.string(text, into: &bytes) else { return nil }
      kind = .string
    case UInt8(ascii: "t"):
      guard scanner.word("true", text) else { return nil }
      kind = .true
    case UInt8(ascii: "f"):
      guard scanner.word("false", text) else { return nil }
      kind = .false
    case UInt8(ascii: "n"):
      guard scanner.word("null", text) else { return nil }
      kind = .null
    default:
      guard scanner.number(text, into: &bytes) else { return nil }
      kind = .number
    }
    guard nodes.count < maximumValues else { return nil }
    nodes.append(
      Node(kind: kind, name: name, text: start..<bytes.count, end: nodes.count + 1))
    return kind
  }

  /// Takes what may stand behind a value: ends of what it is in, and a comma with the next name.
  private func leave(_ scanner: inout JSONScanner, _ text: Span<UInt8>) -> Range<Int>? {
    while let container = open.last {
      scanner.skipSpace(text)
      if scanner.take(closer(of: nodes[container].kind), text) {
        nodes[container].end = nodes.count
        open.removeLast()
      } else {
        guard scanner.take(",", text) else { return nil }
        scanner.skipSpace(text)
        return nodes[container].kind == .object ? key(&scanner, text) : 0..<0
      }
    }
    return 0..<0
  }

  /// Takes a member's name and its colon.
  private func key(_ scanner: inout JSONScanner, _ text: Span<UInt8>) -> Range<Int>? {
    let start = bytes.count
    guard scanner.string(text, into: &bytes) else { return nil }
    let name = start..<bytes.count
    scanner.skipSpace(text)
    return scanner.take(":", text) ? name : nil
  }

  private func closer(of kind: Kind) -> Unicode.Scalar { kind == .object ? "}" : "]" }
}
