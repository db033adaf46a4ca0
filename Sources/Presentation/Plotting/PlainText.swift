/// A text as gnuplot takes it literally, whatever it holds.
///
/// Only ASCII letters, digits, spaces and what is not ASCII are written as they are, in double
/// quotes; all else is an octal escape, so that no quote, backquote, macro or markup ever reaches
/// gnuplot's parser. (Between single quotes it stumbles over a text that begins with one.)
/// Characters that are not seen, such as control characters and marks that turn the direction of
/// writing, are left out; line ends and tabs become spaces.
///
/// - Parameters:
///   - limit: the number of Unicode scalars after which the text is cut off.
///   - isFormat: whether gnuplot would take a percent sign for the format of a number.
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

/// What is seen of a text.
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

/// What is seen of a text, without its middle where it is long: names that are made by rule differ
/// at their ends.
func shortened(_ text: String, limit: Int) -> String {
  let scalars = Array(shown(text, limit: .max).unicodeScalars)
  guard scalars.count > limit else { return shown(text, limit: .max) }
  let tail = (limit - 1) / 2
  var short = String.UnicodeScalarView(scalars.prefix(limit - 1 - tail))
  short.append("…")
  short.append(contentsOf: scalars.suffix(tail))
  return String(short)
}

/// Roughly how many pixels a text of the given font size takes.
func textWidth(_ text: String, size: Double) -> Double {
  shown(text).unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 0.58 : 1) * size }
}
