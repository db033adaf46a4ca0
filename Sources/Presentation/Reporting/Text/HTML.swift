/// A piece of a page.
///
/// Literals are markup; a text that is interpolated is escaped, so no name can become markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
  }

  static func + (a: HTML, b: HTML) -> HTML { "\(a)\(b)" }
  static func += (a: inout HTML, b: HTML) { a.text += b.text }

  /// Markup that was not written as a literal: the page's own style and script.
  init(trusted text: String) { self.text = text }

  /// A name that someone else chose: its direction of writing stays its own.
  static func name(_ text: String) -> HTML { "<bdi>\(text)</bdi>" }

  /// The text with what HTML gives a meaning escaped, and what it forbids replaced.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\r", "\t": result += " "
      default: result.unicodeScalars.append(scalar.isForbiddenInHTML ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Control characters and noncharacters (HTML Living Standard, 13.2.3.5).
  fileprivate var isForbiddenInHTML: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || (0xFDD0...0xFDEF).contains(value)
      || value & 0xFFFE == 0xFFFE
  }
}
