import Screens
import Testing

struct KeyReaderTests {
  @Test func knowsKeysHoweverTheyArrive() {
    let bytes = Array("q\u{1B}[Ax\u{1B}[6~\u{1B}OB\u{1B}[1;5Hr\u{1B}[5~\u{1B}q".utf8)
    let expected: [Key] = [.quit, .up, .pageDown, .down, .home, .radar, .pageUp, .quit]
    var whole = KeyReader()
    #expect(whole.keys(in: bytes) == expected)
    var bit = KeyReader()
    #expect(bytes.flatMap { bit.keys(in: [$0]) } == expected)
  }

  @Test func scrollingStaysInTheList() {
    var controls = ScreenControls()
    controls.press(.up, count: 30, visible: 10)
    #expect(controls.offset == 0)
    for _ in 0..<5 { controls.press(.pageDown, count: 30, visible: 10) }
    #expect(controls.offset == 20)
    controls.keep(count: 12, visible: 10)
    #expect(controls.offset == 2)
    controls.press(.end, count: 3, visible: 10)
    #expect(controls.offset == 0)
  }
}
