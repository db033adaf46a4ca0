/// How texts are written between quotes: which characters are escaped, and how.
package enum JSONEscapes {
  /// Control characters as `\n`, or as `\u001b` where they have no letter.
  case short
  /// All control characters as `\u000a`.
  case long
  /// Safe inside a `<script>` of a page: nothing can end the script, and no control, separator or
  /// noncharacter is left.
  case script

  /// Appends a text with its quotes.
  func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case "\0"..<" ":
        if self == .short, let letter = Self.letter(scalar) {
          bytes += [UInt8(ascii: "\\"), UInt8(ascii: letter)]
        } else {
          Self.appendCode(of: scalar, to: &bytes)
        }
      case _ where self == .script && Self.steersPage(scalar):
        Self.appendCode(of: scalar, to: &bytes)
      case "\0"..."\u{7F}": bytes.append(UInt8(scalar.value))
      // Noncharacters are forbidden in a page, in a script too.
      case _ where self == .script && Self.isNoncharacter(scalar): bytes += "\u{FFFD}".utf8
      default: bytes += String(scalar).utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func steersPage(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{7F}"..."\u{9F}": true
    default: false
    }
  }

  private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }

  private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\u{8}": "b"
    case "\t": "t"
    case "\n": "n"
    case "\u{C}": "f"
    case "\r": "r"
    default: nil
    }
  }

  private static func appendCode(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    let digits = String(scalar.value, radix: 16)
    bytes += "\\u".utf8
    bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
    bytes += digits.utf8
  }
}
