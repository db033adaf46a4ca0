/// The values of a JSON document, with its parser.
struct JSONValues {
  private let maximumValues: Int
  private let maximumDepth: Int
  private(set) var bytes: [UInt8] = []
  private(set) var nodes: [JSONDocument.Node] = []
  /// The indices of the open objects and arrays.
  private var open: [Int] = []

  init(maximumValues: Int, maximumDepth: Int) {
    (self.maximumValues, self.maximumDepth) = (maximumValues, maximumDepth)
  }

  /// Returns everything and leaves no memory behind.
  mutating func taken() -> JSONValues {
    let all = self
    self = JSONValues(maximumValues: maximumValues, maximumDepth: maximumDepth)
    return all
  }

  /// Parses a document, replacing the previous one.
  mutating func parse(_ text: Span<UInt8>) -> Bool {
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
        guard open.count <= maximumDepth else { return false }
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

  /// Parses one value, or the start of one that contains others, and adds its node.
  private mutating func value(
    _ scanner: inout JSONScanner, _ text: Span<UInt8>, name: Range<Int>
  ) -> JSONDocument.Kind? {
    guard scanner.offset < text.count else { return nil }
    let start = bytes.count
    let kind: JSONDocument.Kind
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
      JSONDocument.Node(kind: kind, name: name, text: start..<bytes.count, end: nodes.count + 1))
    return kind
  }

  /// Parses what follows a value: the ends of its containers, and a comma with the next name.
  private mutating func leave(_ scanner: inout JSONScanner, _ text: Span<UInt8>) -> Range<Int>? {
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

  /// Parses a member's name and its colon.
  private mutating func key(_ scanner: inout JSONScanner, _ text: Span<UInt8>) -> Range<Int>? {
    let start = bytes.count
    guard scanner.string(text, into: &bytes) else { return nil }
    let name = start..<bytes.count
    scanner.skipSpace(text)
    return scanner.take(":", text) ? name : nil
  }

  private func closer(of kind: JSONDocument.Kind) -> Unicode.Scalar { kind == .object ? "}" : "]" }
}
