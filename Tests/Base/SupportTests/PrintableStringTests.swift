import Support
import Testing

@Suite struct PrintableStringTests {
  @Test func `control sequences of terminals are escaped`() {
    #expect("a\u{1B}]0;x\u{7}".printable == "a\\u{1b}]0;x\\u{7}")
    #expect("one\ntwo\ttabs\r".printable == "one\\u{a}two\\u{9}tabs\\u{d}")
    for scalar: Unicode.Scalar in [
      "\u{0}", "\u{7F}", "\u{9B}", "\u{85}", "\u{2028}", "\u{2029}", "\u{61C}", "\u{200E}",
      "\u{200F}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}",
      "\u{2067}", "\u{2068}", "\u{2069}", "\u{FEFF}", "\u{E0041}",
    ] {
      #expect("a\(scalar)b".printable == "a\\u{\(String(scalar.value, radix: 16))}b")
    }
  }

  /// Each control character and each mark that turns the direction of text.
  @Test func `nothing is forgotten`() {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    let kinds: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
    for scalar in scalars where kinds.contains(scalar.properties.generalCategory) {
      #expect(!String(scalar).printable.unicodeScalars.contains(scalar))
      let isLine = scalar == "\n" || scalar == "\t"
      #expect(String(scalar).printableLines.unicodeScalars.contains(scalar) == isLine)
    }
  }

  @Test(arguments: [
    "", "Küche", "字", "👩‍🔬", "👍🏽", "क्‍ष", "a\\b", "± 2.5 dB²", "e\u{301}",
  ])
  func `ordinary text stays`(_ text: String) {
    #expect(text.printable == text)
    #expect(text.printableLines == text)
  }

  @Test func `data on a terminal have the escapes of JSON, so that a line stays the same JSON`() {
    #expect("a\u{1B}[2J\u{9B}\t\n\r".escapedForTerminal == "a\\u001b[2J\\u009b\t\n\\u000d")
    #expect("\u{202E}x\u{E0041}".escapedForTerminal == "\\u202ex\\udb40\\udc41")
    #expect("Küche, 字".escapedForTerminal == "Küche, 字")
  }

  @Test func `lines of ours stay`() {
    #expect("a\tb\nc\u{1B}\n".printableLines == "a\tb\nc\\u{1b}\n")
  }
}
