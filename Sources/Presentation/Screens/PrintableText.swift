/// Text that is safe for a terminal: whatever a beacon's name contains, it does not move the
/// cursor, change colours, reverse the line or join its neighbours.
///
/// Each element is the content of one place on the screen, with its columns, 1 or 2.
package struct PrintableText: Equatable, Sendable {
  struct Element: Equatable, Sendable {
    var text: String
    var columns: Int
  }

  private(set) var elements: [Element] = []

  /// The maximum number of marks on one letter: languages need two, more climb over the lines
  /// above.
  private static let maximumMarks = 2

  /// - Parameter isUnicode: true if the terminal supports more than ASCII.
  package init(_ text: String, isUnicode: Bool = true) {
    var marks = 0
    for scalar in text.unicodeScalars {
      if (0x20...0x7E).contains(scalar.value) {
        elements.append(Element(text: String(scalar), columns: 1))
      } else if let shown = Self.shown(scalar) {
        let columns = shown.columns
        if !isUnicode {
          if columns > 0 { elements.append(contentsOf: Self.transcribed(shown)) }
        } else if columns > 0 {
          elements.append(Element(text: String(shown), columns: columns))
        } else if marks < Self.maximumMarks, let last = elements.indices.last {
          elements[last].text.unicodeScalars.append(shown)
          marks += 1
          continue
        } else {
          continue
        }
      } else {
        continue
      }
      marks = 0
    }
  }

  package var columns: Int { elements.reduce(0) { $0 + $1.columns } }

  /// The text as one string.
  package var text: String { elements.map(\.text).joined() }

  /// Returns the text cut to a width, with an ellipsis at the omission.
  ///
  /// - Parameter tail: the number of columns to keep of the end, at which identities differ.
  func fitted(to width: Int, tail: Int = 0, isUnicode: Bool) -> PrintableText {
    guard columns > width else { return self }
    guard width > 0 else { return PrintableText("") }
    var (head, end) = (self, self)
    while end.columns > min(tail, width - 1) { end.elements.removeFirst() }
    while head.columns > width - 1 - end.columns { head.elements.removeLast() }
    head.elements.append(Element(text: isUnicode ? "…" : "~", columns: 1))
    head.elements.append(contentsOf: end.elements)
    return head
  }

  /// Returns a name cut to a width: in its middle, so that its end remains, or at its end.
  package func abbreviated(
    to width: Int, keepsEnd: Bool = true, isUnicode: Bool = true
  ) -> String {
    fitted(to: width, tail: keepsEnd ? width * 2 / 3 : 0, isUnicode: isUnicode).text
  }

  /// Returns the replacement of a non-ASCII character; nil if there is none.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isRegionalIndicator { return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41) }
    // The shade of the skin before it, which some terminals join with it and others do not.
    if (0x1F3FB...0x1F3FF).contains(scalar.value) { return nil }
    if scalar.properties.isVariationSelector { return nil }
    switch scalar.properties.generalCategory {
    case .format: return nil
    case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      return "\u{FFFD}"
    case .spaceSeparator: return " "
    default: return scalar
    }
  }

  private static func transcribed(_ scalar: Unicode.Scalar) -> [Element] {
    let text =
      switch scalar {
      case "–", "−": "-"
      case "…": "~"
      case "±": "+-"
      case "×": "x"
      case "·": "."
      case "²": "^2"
      case "³": "^3"
      case "÷": "/"
      case "↑": "up"
      case "↓": "down"
      default: scalar.isASCII ? String(scalar) : "?"
      }
    return text.map { Element(text: String($0), columns: 1) }
  }
}

extension Unicode.Scalar {
  /// The number of columns on a terminal: 0 for characters that combine with the one before, 2 for
  /// wide ones (East Asian width W and F, UAX #11; emoji that are pictures by default are W).
  var columns: Int {
    guard value >= 0x300 else { return 1 }
    // Vowels and finals of Hangul written letter by letter join the initial before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    if isRegionalIndicator { return 1 }
    return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// A Boolean value that is true for one of the letters of which two make a flag.
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// The ranges of wide characters that are not emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F320,
    0x20000...0x3FFFD,
  ]
}

/// Returns text in lines of a width, broken between words, or within one that is too long for a
/// line.
func wrapped(_ text: String, to width: Int) -> [String] {
  guard width > 0 else { return [] }
  var lines = [""]
  for word in text.split(separator: " ") {
    var rest = PrintableText(String(word)).elements[...]
    let columns = rest.reduce(0) { $0 + $1.columns }
    let taken = PrintableText(lines[lines.count - 1]).columns
    if taken > 0 {
      if taken + 1 + columns <= width { lines[lines.count - 1] += " " } else { lines.append("") }
    }
    var room = width - PrintableText(lines[lines.count - 1]).columns
    while let next = rest.popFirst() {
      if next.columns > room {
        lines.append("")
        room = width
      }
      lines[lines.count - 1] += next.text
      room -= next.columns
    }
  }
  return lines
}
