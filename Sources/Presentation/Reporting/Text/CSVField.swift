/// Texts and numbers as fields of a CSV file.
public enum CSV {
  /// A text that somebody else chose: quoted where RFC 4180 asks for it.
  ///
  /// Spreadsheets work out what begins with `=`, `+`, `-`, `@`, a tab or a line end; an apostrophe
  /// before it keeps it a text (OWASP, "CSV Injection").
  public static func text(_ text: String) -> String {
    var safe = text
    if let first = text.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first) {
      safe = "'" + text
    }
    guard safe.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return safe
    }
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// A number with so many decimals; nothing where it is none or not finite.
  public static func number(_ value: Double?, _ places: Int) -> String {
    guard let value, value.isFinite else { return "" }
    return decimals(value, places)
  }

  /// Nanoseconds since the Unix epoch as seconds, exact.
  public static func seconds(_ nanoseconds: Int64) -> String {
    let digits = String(nanoseconds.magnitude)
    let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    return (nanoseconds < 0 ? "-" : "") + padded.dropLast(9) + "." + padded.suffix(9)
  }
}
