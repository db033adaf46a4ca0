import Foundation
import Screens
import TestSupport
import Testing

struct PrintableTextTests {
  @Test func `takes away what moves or hides`() {
    #expect(PrintableText("a\u{1B}[31mb\u{7}\r\n").text == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(PrintableText("\u{202E}abc\u{200B}\u{FEFF}").text == "abc")
    #expect(PrintableText("\u{9B}2J").text == "\u{FFFD}2J")
    #expect(PrintableText("\u{301}a").text == "a")
    #expect(PrintableText("e\u{301}\u{301}\u{301}\u{301}").text == "e\u{301}\u{301}")
    #expect(PrintableText("🇩🇪 👍🏽").text == "DE 👍")
    #expect(PrintableText("Café – 会", isUnicode: false).text == "Caf? - ?")
  }

  @Test func `abbreviates in the middle`() {
    #expect(PrintableText("ibeacon:F7826DA6:1:7").abbreviated(to: 10) == "ibe…A6:1:7")
    #expect(PrintableText("会議室会議室").abbreviated(to: 6) == "…議室")
    #expect(PrintableText("door").abbreviated(to: 4) == "door")
    #expect(PrintableText("door").abbreviated(to: 0) == "")
    #expect(PrintableText("door").abbreviated(to: 1) == "…")
  }

  /// The Unicode Character Database as Python has it.
  @Test func `knows the width of every character`() throws {
    let script = """
      import unicodedata as u
      for c in range(0x20, 0x110000):
          k = u.category(chr(c))
          if k in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs") or 0x1F1E6 <= c <= 0x1F1FF: continue
          if 0x1F3FB <= c <= 0x1F3FF: continue
          if k in ("Mn", "Me") or 0x1160 <= c <= 0x11FF or 0xD7B0 <= c <= 0xD7FB: w = 0
          else: w = 2 if u.east_asian_width(chr(c)) in "WF" else 1
          print(c, w)
      """
    let result = try runPython(script)
    #expect(result.exitCode == 0, "\(result.error)")
    var wrong: [String] = []
    var count = 0
    for line in result.output.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      guard numbers.count == 2, let scalar = Unicode.Scalar(numbers[0]) else { continue }
      count += 1
      // After a letter, onto which marks go.
      if PrintableText("a\(scalar)").columns != 1 + Int(numbers[1]) {
        wrong.append("U+" + String(numbers[0], radix: 16))
      }
    }
    #expect(count > 140_000)
    // Versions of Unicode differ in a few characters.
    #expect(wrong.count < 5, "\(wrong.prefix(40))")
  }
}
