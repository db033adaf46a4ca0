/// Text that a terminal can be given: whatever a beacon calls itself, nothing in it moves the
/// cursor, changes colours, reverses the line or joins its neighbours.
///
/// Each element is what one place on the screen shows, with the columns it takes, 1 or 2.
package struct PrintableText: Equatable, Sendable {
  struct Element: Equatable, Sendable {
    var text: String
    var columns: Int
  }

  private(set) var elements: [Element] = []

  /// The most marks on one letter: languages need two, more climb over the lines above.
  private static let maximumMarks = 2

  /// - Parameter isUnicode: whether the terminal knows more than ASCII.
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

  /// As one string.
  package var text: String { elements.map(\.text).joined() }

  /// Cut to a width, with an ellipsis where something is missing.
  ///
  /// - Parameter tail: columns kept of the end; identities differ there.
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

  /// A name cut to a width: in its middle, so that its end remains, or at its end.
  package func abbreviated(
    to width: Int, keepsEnd: Bool = true, isUnicode: Bool = true
  ) -> String {
    fitted(to: width, tail: keepsEnd ? width * 2 / 3 : 0, isUnicode: isUnicode).text
  }

  /// What stands for a character that is not ASCII; nil where nothing does.
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
