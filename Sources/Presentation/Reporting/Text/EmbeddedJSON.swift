/// Compact JSON that is safe inside a `<script>` of a page.
///
/// `<`, `>` and `&` are written as escapes, so that no name can end the script.
struct EmbeddedJSON {
  private(set) var text = ""
  private var needsComma = false

  mutating func key(_ name: String) {
    string(name)
    text += ":"
    needsComma = false
  }

  mutating func object(_ body: (inout EmbeddedJSON) -> Void) { enclosed("{", "}", body) }
  mutating func array(_ body: (inout EmbeddedJSON) -> Void) { enclosed("[", "]", body) }

  private mutating func enclosed(
    _ opening: String, _ closing: String, _ body: (inout EmbeddedJSON) -> Void
  ) {
    separate()
    text += opening
    needsComma = false
    body(&self)
    text += closing
    needsComma = true
  }

  mutating func number(_ value: Int) {
    separate()
    text += String(value)
  }

  mutating func boolean(_ value: Bool) {
    separate()
    text += value ? "true" : "false"
  }

  mutating func null() {
    separate()
    text += "null"
  }

  mutating func string(_ value: String) {
    separate()
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\0"..<" ", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default:
        // Noncharacters are forbidden in a page, in a script too.
        text.unicodeScalars.append(
          scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
            ? "\u{FFFD}" : scalar)
      }
    }
    text += "\""
  }

  mutating func numbers(_ key: String, _ values: some Sequence<Int>) {
    self.key(key)
    array { json in for value in values { json.number(value) } }
  }

  mutating func strings(_ key: String, _ values: some Sequence<String>) {
    self.key(key)
    array { json in for value in values { json.string(value) } }
  }

  private mutating func separate() {
    if needsComma { text += "," }
    needsComma = true
  }
}
