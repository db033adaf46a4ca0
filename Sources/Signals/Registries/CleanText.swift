/// A text on one line that cannot control a terminal.
///
/// A foreign list must not move a cursor, colour a screen or reverse the order of letters. Tabs and
/// line breaks become one space; other control characters, and direction marks, are removed. O(n).
package struct CleanText: Equatable, Sendable {
  package private(set) var text = ""
  /// A Boolean value that is true if something was removed.
  package private(set) var isChanged = false

  package init(_ raw: String) {
    // Most texts are plain and are used unchanged.
    if raw.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), raw.utf8.first != 0x20,
      raw.utf8.last != 0x20
    {
      text = raw
      return
    }
    var isGap = false
    for scalar in raw.unicodeScalars {
      if Self.isSpace(scalar) {
        isGap = true
        if scalar != " " { isChanged = true }
      } else if Self.steers(scalar) {
        isChanged = true
      } else {
        if isGap, !text.isEmpty { text.unicodeScalars.append(" ") }
        isGap = false
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .lineSeparator, .paragraphSeparator: true
    default: scalar == " " || (0x09...0x0D).contains(scalar.value) || scalar.value == 0x85
    }
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: true
    // Joiners are part of the spelling of some scripts and emoji.
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }
}

/// Returns a foreign text for a message: clean, short, in quotes.
func quoted(_ text: String) -> String {
  let clean = CleanText(text).text
  return clean.count > 40 ? "\"\(clean.prefix(40))…\"" : "\"\(clean)\""
}
