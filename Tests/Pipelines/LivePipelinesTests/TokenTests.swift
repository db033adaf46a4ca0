import LivePipelines
import Testing

@Suite struct TokenTests {
  @Test func `is equal to its text`() {
    for _ in 0..<100 {
      let token = Token.random()
      #expect(Token(token.description) == token)
    }
    #expect(
      Token("00000000000000000000000000000001")?.description == "00000000000000000000000000000001")
    for text in ["", "0", "+000000000000000+000000000000000", "ABCDEF00000000000000000000000000"] {
      #expect(Token(text) == nil)
    }
  }

  @Test(arguments: [
    ("lab", true), ("A-1_b.c", true), ("", false), ("a/b", false), ("#", false), ("+", false),
    ("..", false), (".", false), ("ä", false), ("a b", false), ("a\0", false),
    (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
  ])
  func `names mean nothing to MQTT or to a folder`(_ text: String, _ isName: Bool) {
    #expect(isSessionName(text) == isName)
  }
}
