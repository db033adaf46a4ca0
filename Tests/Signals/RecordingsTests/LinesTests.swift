import TestSupport
import Testing

@testable import Recordings

@Suite struct LinesTests {
  /// The lines with their numbers; nil in place of one that is too long.
  private func lines(_ text: String, joinsQuoted: Bool = false) throws -> [(Int, String?)] {
    let directory = try TemporaryDirectory()
    var lines = try Lines(
      path: directory.write(Array(text.utf8), to: "lines"), joinsQuoted: joinsQuoted)
    var result: [(Int, String?)] = []
    while let line = try lines.next({ span -> String? in
      guard let span else { return nil }
      return String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    }) {
      result.append((lines.number, line))
    }
    return result
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
    ("\n\na\n\n", ["", "", "a", ""]), ("\u{FEFF}a\n", ["a"]), ("a\u{FEFF}\n", ["a\u{FEFF}"]),
    ("a\rb\n", ["a\rb"]), ("\u{FEFF}", []),
  ])
  func `text is cut at its line breaks`(_ text: String, _ expected: [String]) throws {
    let found = try lines(text)
    #expect(found.map { $0.1 } == expected)
    #expect(found.map { $0.0 } == Array(1..<expected.count + 1))
  }

  @Test func `a line that is too long is the only one refused`() throws {
    let longest = String(repeating: "x", count: Lines.maximumLength)
    for length in [1, 1000, 1 << 18, 1 << 20] {
      let long = longest + String(repeating: "y", count: length)
      let found = try lines("a\n\(longest)\n\(long)\nb\n\(long)")
      #expect(found.map { $0.1 } == ["a", longest, nil, "b", nil])
      #expect(found.map { $0.0 } == [1, 2, 3, 4, 5])
    }
  }

  /// Whatever the lengths are, lines lie across the ends of the blocks that are read.
  @Test func `lines are whole wherever blocks end`() throws {
    var random = SeededGenerator(seed: 11)
    let expected = (0..<3000).map { _ in
      String(repeating: "z", count: Int.random(in: 0...600, using: &random))
    }
    let found = try lines(expected.joined(separator: "\n") + "\n")
    #expect(found.map { $0.1 } == expected)
  }

  @Test func `a line goes on behind a break within quotes`() throws {
    let text = "a,\"b\nc\"\r\nd\n\"\"\"\n\"\"\r\n\",e\n\nf,\"g\n\""
    let found = try lines(text, joinsQuoted: true)
    #expect(found.map { $0.1 } == ["a,\"b\nc\"", "d", "\"\"\"\n\"\"\r\n\",e", "", "f,\"g\n\""])
    #expect(found.map { $0.0 } == [1, 3, 4, 7, 8])
    #expect(try lines(text).count == 9)
  }

  /// A quote too many costs the line it is in, not the lines behind it.
  @Test(arguments: ["\"a", "x,\"a\"b", "\"a\" ,\"", "x,\"\"\"", "\"a,\"b\",c"])
  func `a quote without its other end joins nothing`(_ bad: String) throws {
    let found = try lines("\(bad)\nb\n\"c\",d\n", joinsQuoted: true)
    #expect(found.map { $0.1 } == [bad, "b", "\"c\",d"])
  }

  @Test func `an open quote is followed no further than a line may be long`() throws {
    let rows = [String](repeating: "1,2,3", count: 100_000)
    let found = try lines("\"a\n" + rows.joined(separator: "\n") + "\n\"", joinsQuoted: true)
    #expect(found.map { $0.1 } == ["\"a"] + rows + ["\""])
  }

  @Test func `a quote within a field is a letter`() throws {
    let found = try lines("5\" tablet,a\nb\"\n", joinsQuoted: true)
    #expect(found.map { $0.1 } == ["5\" tablet,a", "b\""])
  }
}
