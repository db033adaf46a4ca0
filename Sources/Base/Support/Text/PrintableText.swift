extension String {
  /// The text in one line that cannot control a terminal: unprintable characters are written as
  /// `\u{1b}`.
  ///
  /// Names of beacons, receivers, traces and files come from outside. Control characters, line and
  /// paragraph separators and invisible format characters, which reverse the direction of text, are
  /// escaped; the joiners that scripts and emoji need are not.
  package var printable: String { escaped { !$0.isPrintable } }

  /// The text without terminal controls, with its lines and columns.
  package var printableLines: String { escaped { !$0.isPrintable && $0 != "\n" && $0 != "\t" } }

  /// The text for JSON, NDJSON and CSV, with the escapes of JSON (RFC 8259, section 7).
  package var escapedForTerminal: String {
    escaped(
      as: { UTF16.encode($0)!.map { "\\u" + hexadecimal($0) }.joined() },
      where: { !$0.isPrintable && $0 != "\n" && $0 != "\t" })
  }

  private func escaped(
    as escape: (Unicode.Scalar) -> String = { "\\u{\(String($0.value, radix: 16))}" },
    where isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    guard unicodeScalars.contains(where: isEscaped) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if isEscaped(scalar) {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// Returns four hexadecimal digits.
private func hexadecimal(_ unit: UTF16.CodeUnit) -> String {
  let digits = String(unit, radix: 16)
  return String(repeating: "0", count: 4 - digits.count) + digits
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    if (0x20...0x7E).contains(value) { return true }
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: return false
    case .format: return value == 0x200C || value == 0x200D
    default: return true
    }
  }
}

extension String {
  /// The text as one word of a shell command, quoted if necessary.
  package var shellWord: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
