/// Texts as Markdown takes them literally.
enum Markdown {
  /// Returns the text for a line or a cell, with special characters of Markdown and HTML escaped.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#": result += "\\" + String(scalar)
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      default:
        // A line ends only where the report ends it.
        if scalar.properties.generalCategory == .control || scalar == "\u{2028}"
          || scalar == "\u{2029}"
        {
          result += " "
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
