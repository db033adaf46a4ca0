package import Support

/// The bytes that a trace has for a text, and what becomes of one that does not fit.
///
/// An identity is refused, since a cut one would be another; a text for people is cut and marked.
/// The limits that what takes texts from outside shares with the columns of a trace are declared
/// here, those of other columns in their tables.
package struct TextLimit: Equatable, Sendable {
  /// UTF-8 bytes.
  package let bytes: Int
  package let isIdentity: Bool

  package static func identity(_ bytes: Int) -> TextLimit {
    TextLimit(bytes: bytes, isIdentity: true)
  }

  package static func words(_ bytes: Int) -> TextLimit {
    TextLimit(bytes: bytes, isIdentity: false)
  }

  /// A name that a table, a message or a user gives a beacon, a receiver or a trace. The identity
  /// of a node has room for something beside it, such as the name of a session's member.
  package static let name = identity(128)
  package static let nodeIdentity = identity(160)
  package static let trace = identity(128)
  package static let nodeKind = words(32)
  package static let nodeName = words(128)
  package static let pose = identity(64)
  package static let reason = words(64)
  package static let adapter = words(256)
  package static let controller = words(128)
  package static let scan = words(16)
  package static let phys = words(32)

  /// The limit where there is less room.
  package func narrowed(to bytes: Int) -> TextLimit {
    TextLimit(bytes: min(self.bytes, bytes), isIdentity: isIdentity)
  }

  /// The rule for an identity, for messages.
  package var rule: String { "UTF-8 without zero bytes, \(bytes) bytes at most" }

  /// Returns true if a trace keeps some bytes as they are.
  package func admits(_ utf8: Span<UInt8>) -> Bool {
    utf8.count <= bytes && Self.isText(utf8)
  }

  /// Returns true if some bytes are UTF-8 without zero bytes, at which readers would end.
  package static func isText(_ utf8: Span<UInt8>) -> Bool {
    var isASCII = true
    for index in utf8.indices {
      if utf8[index] == 0 { return false }
      if utf8[index] >= 0x80 { isASCII = false }
    }
    return isASCII || (try? UTF8Span(validating: utf8)) != nil
  }

  package func admits(_ text: String) -> Bool {
    text.utf8.count <= bytes && !text.utf8.contains(0)
  }

  /// Refuses an identity that does not fit.
  ///
  /// - Parameters:
  ///   - what: the column or the thing that it names, for messages.
  ///   - kind: of the error.
  package func require(
    _ text: String, _ what: String, _ kind: RSSIError.Kind = .badInput
  ) throws(RSSIError) {
    guard !admits(text) else { return }
    let beginning = String(text.unicodeScalars.prefix(40).map(Character.init))
    let problem =
      text.utf8.count > bytes
      ? "is longer than \(bytes) bytes (\(text.utf8.count)): shorten it"
      : "has a zero byte in it: rename it"
    throw RSSIError(
      kind, "the \(what) \"\(beginning)\(beginning == text ? "" : "…")\" \(problem)")
  }

  /// A text that fits: one that is too long is cut and marked, zero bytes are replaced. O(`bytes`).
  package func fitted(_ text: String) -> String {
    guard !admits(text) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(bytes + 1) {
      scalars.append(scalar.value == 0 ? "\u{FFFD}" : scalar)
    }
    guard String(scalars).utf8.count > bytes else { return String(scalars) }
    let mark = "…"
    while String(scalars).utf8.count > bytes - mark.utf8.count { scalars.removeLast() }
    return String(scalars) + mark
  }
}
