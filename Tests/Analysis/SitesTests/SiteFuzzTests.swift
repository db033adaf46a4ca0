import Geometry
import Sites
import Support
import TestSupport
import Testing

/// Whatever a file holds, it is a site or an error of one sentence with a line that the file has.
@Suite struct SiteFuzzTests {
  private func read(_ bytes: [UInt8]) {
    do throws(RSSIError) {
      _ = try Site(toml: bytes, path: "f")
    } catch {
      let problem = error.problem
      guard error.kind == .badInput, let subject = error.subject, subject.hasPrefix("f, line "),
        let line = Int(subject.dropFirst("f, line ".count))
      else {
        Issue.record("\(error)")
        return
      }
      let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
      #expect((1...lines).contains(line), "\(problem)")
      #expect(!problem.isEmpty && !problem.contains("\n") && problem.utf8.count < 700)
    }
  }

  @Test func `truncated files`() {
    let whole = Array(wholeSite.utf8)
    for length in 0..<whole.count { read(Array(whole.prefix(length))) }
  }

  @Test func `random bytes`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<3000 {
      read(
        (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        })
    }
  }

  /// Pieces of TOML in any order reach further than bytes do.
  @Test func `random pieces`() {
    let pieces = [
      "[[walls]]", "[[anchors]]", "[[rooms]]", "[walls]", "\n", "\n", "\n", "from", "points",
      "node",
      " = ", " = ", "[0, 0]", "[[0, 0], [1, 1], [2, 1e400]]", "{", "}", "[", "]", ",", ".", "\"",
      "'",
      "\"\"\"", "'''", "\\", "\\u", "\\u0000", "a", "\"a\"", "#", "1", "-",
      "1979-05-27T07:32:00.5Z",
      "nan", "99999999999999999999", "0x", "true", "\r\n", "\t", "é", "\u{FEFF}", "\u{0}", "\u{7F}",
    ]
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<16, using: &generator) {
        text += pieces.randomElement(using: &generator)!
      }
      read(Array(text.utf8))
    }
  }

  @Test func `damaged files`() {
    let whole = Array(wholeSite.utf8)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes[place] = whole.randomElement(using: &generator)!
        }
        if bytes.isEmpty { break }
      }
      read(bytes)
    }
  }

  /// Texts whose nesting would overflow a stack, as long as a file may be.
  @Test(arguments: [
    "[", "{", "a.", "'a'.", "[a.", "a={", "a=[", "[[", "x=[{a=", "\"", "\\", "[[walls]]\n",
  ])
  func `long files`(_ piece: String) {
    let text = String(repeating: piece, count: Site.maximumFileLength / piece.utf8.count - 1)
    read(Array(text.utf8))
    read(Array("x = \(text)".utf8.prefix(Site.maximumFileLength)))
  }
}
