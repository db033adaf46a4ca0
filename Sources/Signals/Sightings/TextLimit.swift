package import Support

/// The size limit of a text in a trace, with the treatment of longer ones.
///
/// An identity is rejected, because a truncated one would be another; a display text is truncated
/// and marked. Limits that readers of external texts share with the columns of a trace are declared
/// here, those of other columns in their tables.
package struct TextLimit: Equatable, Sendable {
  /// The limit in UTF-8 bytes.
  package let bytes: Int
  package let isIdentity: Bool

  package static func identity(_ bytes: Int) -> TextLimit {
    TextLimit(bytes: bytes, isIdentity: true)
  }

  package static func words(_ bytes: Int) -> TextLimit {
    TextLimit(bytes: bytes, isIdentity: false)
  }

  /// The limit of a name that a table, a message or a user gives a beacon, a receiver or a trace.
  /// The identity of a node has additional room, such as for the name of a session's member.
  package static let name = identity(128)
  package static let nodeIdentity = identity(160)
  package static let trace = identity(128)
  package static let floor = identity(64)
  package static let room = identity(128)
  package static let nodeKind = words(32)
  package static let nodeName = words(128)
  package static let pose = identity(64)
  package static let reason = words(64)
  package static let adapter = words(256)
  package static let controller = words(128)
  package static let scan = words(16)
  package static let phys = words(32)

  /// Returns the limit for a narrower column.
  package func narrowed(to bytes: Int) -> TextLimit {
    TextLimit(bytes: min(self.bytes, bytes), isIdentity: isIdentity)
  }

  /// The rule for an identity, for messages.
  package var rule: String { "UTF-8 without zero bytes, \(bytes) bytes at most" }

  /// Returns a Boolean value that is true if a trace can store some bytes unchanged.
  package func admits(_ utf8: Span<UInt8>) -> Bool {
    utf8.count <= bytes && Self.isText(utf8)
  }

  /// Returns a Boolean value that is true if some bytes are UTF-8 without zero bytes, at which
  /// readers would end.
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

  /// Throws if an identity does not fit.
  ///
  /// - Parameters:
  ///   - what: The column or the kind of the name, for messages.
  ///   - kind: The kind of the error.
  package func require(
    _ text: String, _ what: String, _ kind: RSSIError.Kind = .badInput
  ) throws(RSSIError) {
    guard !admits(text) else { return }
    let beginning = String(text.unicodeScalars.prefix(40).map(Character.init))
    let problem =
      text.utf8.count > bytes
      ? "is longer than \(bytes) bytes (\(text.utf8.count)): shorten it"
      : "contains a zero byte: rename it"
    throw RSSIError(
      kind, "the \(what) \"\(beginning)\(beginning == text ? "" : "…")\" \(problem)")
  }

  /// Returns a text that fits: a longer one is truncated and marked, zero bytes are replaced.
  /// O(`bytes`).
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
