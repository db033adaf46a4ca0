import Foundation
import TestSupport
import Testing

@Suite("Help texts use the words of docs/words.txt")
struct WordsTests {
  /// A line `KIND: TERM SEPARATOR EXPLANATION` of the word list.
  private static func entries(_ kind: String, _ separator: String) throws -> [String] {
    let text = try String(
      contentsOf: repositoryRoot.appending(path: "docs/words.txt"), encoding: .utf8)
    return try text.split(separator: "\n").filter { $0.hasPrefix("\(kind): ") }.map { line in
      let parts = line.dropFirst(kind.count + 2).split(separator: separator, maxSplits: 1)
      try #require(parts.count == 2, "\(line)")
      return parts[0].trimmingCharacters(in: .whitespaces)
    }
  }

  /// The stages that a help text lists under its subcommands.
  private static func subcommands(_ help: String) -> [String] {
    guard let list = help.split(separator: "SUBCOMMANDS:", maxSplits: 1).dropFirst().first else {
      return []
    }
    return list.matches(of: #/\n  ([a-z]+) /#).map { String($0.1) }
  }

  private static func help(_ stage: [String]) throws -> String {
    let result = try runProgram(builtProgram, ["help"] + stage)
    #expect(result.exitCode == 0, "\(result.error)")
    return result.output
  }

  @Test("no help text has a phrase to avoid")
  func help() throws {
    let phrases = try Self.entries("avoid", " -> ")
    var stages = [[String]]()
    var next = [[String]()]
    while let stage = next.popLast() {
      stages.append(stage)
      let help = try Self.help(stage)
      let names = Self.subcommands(help)
      next += names.map { stage + [$0] }
      // The names of subcommands are not words of a sentence.
      let text = help.replacing(#/\n  [a-z]+  +/#, with: "\n").replacing("session who", with: "")
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for phrase in phrases {
        let pattern = try Regex("\\b\(phrase)\\b").ignoresCase()
        #expect(
          !text.contains(pattern), "rssi help \(stage.joined(separator: " ")): \"\(phrase)\"")
      }
    }
    #expect(stages.count > 25)
  }

  @Test("each term is defined once, and is not to be avoided")
  func terms() throws {
    let terms = try Self.entries("use", " — ").flatMap { $0.split(separator: ", ") }.map(
      String.init)
    #expect(terms.count > 30)
    #expect(Set(terms).count == terms.count)
    #expect(Set(terms).isDisjoint(with: try Self.entries("avoid", " -> ")))
  }
}
