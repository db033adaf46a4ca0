import Screens
import Testing

@Suite("Keys from the bytes of a terminal") struct KeyReaderTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `are known however they arrive`() {
    let bytes = Array("q\u{1B}[A\u{1B}[6~\u{1B}OB\u{1B}[1;5Hé\u{1B}[5~\r\n\u{7F}\u{1}会".utf8)
    let expected: [Key] = [
      .character("q"), .up, .pageDown, .down, .home, .character("é"), .pageUp, .enter, .enter,
      .backspace, .character("会"),
    ]
    var whole = KeyReader()
    #expect(whole.keys(in: bytes, at: 0) == expected)
    var bit = KeyReader()
    #expect(bytes.flatMap { bit.keys(in: [$0], at: 0) } == expected)
  }

  @Test func `escape alone is a key when nothing follows`() {
    var keys = KeyReader()
    #expect(keys.keys(in: [0x1B], at: 0).isEmpty)
    #expect(keys.keys(in: [], at: Self.second / 100).isEmpty)
    #expect(keys.keys(in: [], at: Self.second) == [.escape])
    #expect(keys.keys(in: [], at: 2 * Self.second).isEmpty)
    #expect(
      keys.keys(in: Array("\u{1B}q\u{1B}\u{1B}[A".utf8), at: 0) == [
        .escape, .character("q"), .escape, .up,
      ])
  }

  @Test func `broken characters mean nothing`() {
    var keys = KeyReader()
    #expect(keys.keys(in: [0xFF, 0xE4, 0x41, 0x80, 0xED, 0xA0, 0x80], at: 0) == [.character("A")])
  }
}
