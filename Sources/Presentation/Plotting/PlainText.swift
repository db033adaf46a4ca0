/// Returns a text that gnuplot takes literally, whatever it contains.
///
/// Only ASCII letters, digits, spaces and non-ASCII characters are written as they are, in double
/// quotes. All others are octal escapes, so that no quote, backquote, macro or markup reaches
/// gnuplot's parser. (Between single quotes it fails on a text that begins with one.) Invisible
/// characters, such as control characters and marks of the writing direction, are left out; line
/// ends and tabs become spaces.
///
/// - Parameters:
///   - limit: the number of Unicode scalars after which the text is cut off.
///   - isFormat: true if gnuplot would read a percent sign as the format of a number.
func quoted(_ text: String, limit: Int = 80, isFormat: Bool = false) -> String {
  var quoted = ""
  var followsEscape = false
  for scalar in shown(text, limit: limit).unicodeScalars {
    let isLetter = ("A"..."Z").contains(scalar) || ("a"..."z").contains(scalar)
    // A digit after an escape might be read as part of it.
    let isDigit = ("0"..."9").contains(scalar) && !followsEscape
    followsEscape = scalar.isASCII && !isLetter && !isDigit && scalar != " "
    if followsEscape {
      let digits = String(scalar.value, radix: 8)
      let escape = "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      quoted += scalar == "%" && isFormat ? escape + escape : escape
    } else {
      quoted.unicodeScalars.append(scalar)
    }
  }
  return "\"\(quoted)\""
}

/// Returns the visible part of a text.
func shown(_ text: String, limit: Int = 80) -> String {
  var scalars = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .lineSeparator, .paragraphSeparator: scalars.append(" ")
    case .control where "\t\n\u{b}\u{c}\r\u{85}".unicodeScalars.contains(scalar):
      scalars.append(" ")
    case .control: break
    case .format, .surrogate, .unassigned, .privateUse: break
    default: scalars.append(scalar)
    }
  }
  guard scalars.count > limit else { return String(scalars) }
  return String(String.UnicodeScalarView(scalars.prefix(limit - 1))) + "…"
}

/// Returns the visible part of a text, without its middle if it is long: generated names differ at
/// their ends.
func shortened(_ text: String, limit: Int) -> String {
  let scalars = Array(shown(text, limit: .max).unicodeScalars)
  guard scalars.count > limit else { return shown(text, limit: .max) }
  let tail = (limit - 1) / 2
  var short = String.UnicodeScalarView(scalars.prefix(limit - 1 - tail))
  short.append("…")
  short.append(contentsOf: scalars.suffix(tail))
  return String(short)
}

/// Returns the approximate width of a text in a font size, in pixels.
func textWidth(_ text: String, size: Double) -> Double {
  shown(text).unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 0.58 : 1) * size }
}
