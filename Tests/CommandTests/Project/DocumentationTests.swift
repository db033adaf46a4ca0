import Foundation
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
  private static func page(_ name: String) throws -> String {
    try String(contentsOf: repositoryRoot.appending(path: "docs/\(name)"), encoding: .utf8)
  }

  @Test func `has every page in its index`() throws {
    let index = try Self.page("README.md")
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: repositoryRoot.appending(path: "docs").path
    ).filter { $0.hasSuffix(".md") && $0 != "README.md" }
    #expect(pages.count > 30)
    for page in pages { #expect(index.contains("(\(page)"), "\(page)") }
  }

  @Test func `has a table of contents on every long page, with all its sections`() throws {
    var checked = 0
    for name in try FileManager.default.contentsOfDirectory(
      atPath: repositoryRoot.appending(path: "docs").path
    ) where name.hasSuffix(".md") {
      let text = try Self.page(name)
      guard text.split(whereSeparator: \.isWhitespace).count > 1500 else { continue }
      // Blocks of code have lines that look like headings.
      let prose = text.components(separatedBy: "```").enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
      let headings = prose.split(separator: "\n").filter { $0.hasPrefix("## ") }
        .map { $0.dropFirst(3).replacing("`", with: "") }
      guard headings.count > 1 else { continue }
      let list = try #require(
        text.components(separatedBy: "**Contents:**").dropFirst().first, "\(name)"
      )
      .components(separatedBy: "\n\n")[0]
      for heading in headings { #expect(list.contains("[\(heading)]("), "\(name): \(heading)") }
      checked += 1
    }
    #expect(checked > 10)
  }

  @Test func `explains every word of the word list in the glossary, and no other`() throws {
    let words = try Self.page("words.txt").split(separator: "\n")
      .filter { $0.hasPrefix("use: ") }
      .map { $0.dropFirst(5).replacing(" — ", with: " | ", maxReplacements: 1) }
    let rows = try Self.page("glossary.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| word |") }
      .map { $0.dropFirst(2).dropLast(2) }
    #expect(words.count > 30)
    #expect(rows.map(String.init).sorted() == words.map { String($0) }.sorted())
  }

  @Test func `is written in sentences of thirty words at most, and in plain English`() throws {
    let result = try documentation("readability")
    #expect(result.exitCode == 0, "\(result.output)")
  }

  @Test func `has tables of results that are those of one run`() throws {
    let result = try script("results", ["check"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
  }

  @Test(.systemRun, .needs(data: "sparse-room"))
  func `has results that the program gives again`() throws {
    let result = try script("results", ["again", "sparse-room"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
  }

  @Test(arguments: ["readme", "docs", "changelog", "sources", "tests"])
  func `has plain words, short sentences and short pages`(part: String) throws {
    let result = try script("words", [part])
    #expect(result.exitCode == 0, "\(result.output)")
  }

  @Test func `finds the words that the style forbids`() throws {
    let result = try runPython(
      """
      import importlib.machinery, importlib.util, sys
      sys.dont_write_bytecode = True
      loader = importlib.machinery.SourceFileLoader("words", sys.argv[1])
      words = importlib.util.module_from_spec(importlib.util.spec_from_loader("words", loader))
      loader.exec_module(words)
      for name, texts in {
          "stated, stating": ["the power is stated", "stated_power_dbm"],
          "is no X": ["x is no time", "x is no longer a time"],
          "one X a Y": ["one line a sighting", "sightings a second.", "one reads a line", "it is one with a name"],
          "nobody, somebody": ["nobody is there", "no beacon is there"],
      }.items():
          print(*(bool(words.FORMS[name].search(text)) for text in texts))
      print(*(words.count(text) for _, text in words.sentences(["One two. Three", "four; five."])))
      print(words.plain("[a\\nb](c) `d`").split("\\n"))
      """, [repositoryRoot.appending(path: "scripts/docs/words").path])
    #expect(
      result.output == """
        True False
        True False
        True True False False
        True False
        2 3
        ['a', 'b Code']

        """, "\(result.error)")
  }

  @Test func `has links that lead to a file, and to a heading of it`() throws {
    let result = try documentation("links")
    #expect(result.exitCode == 0 && !result.output.hasPrefix("0 links"), "\(result.output)")
  }

  @Test func `has a sentence on every public type of the libraries that programs import`() throws {
    let exported = try String(
      contentsOf: repositoryRoot.appending(path: "Sources/RSSIKit/RSSIKit.swift"), encoding: .utf8
    ).matches(of: /@_exported import (\w+)/).map { String($0.1) }
    let files = try #require(
      FileManager.default.enumerator(atPath: repositoryRoot.appending(path: "Sources").path))
    var types = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      guard
        file.split(separator: "/").dropFirst().first.map({ exported.contains(String($0)) }) == true
      else { continue }
      let lines = try String(
        contentsOf: repositoryRoot.appending(path: "Sources/" + file), encoding: .utf8
      ).split(separator: "\n", omittingEmptySubsequences: false).map {
        $0.drop { $0 == " " }
      }
      for (number, line) in lines.enumerated() {
        guard
          line.prefixMatch(
            of: /public (final |indirect )?(struct|class|enum|protocol|actor) \w+/) != nil
        else { continue }
        types += 1
        let comment = lines[..<number].reversed().drop { $0.hasPrefix("@") }
          .prefix { $0.hasPrefix("///") }
        let words = comment.joined(separator: " ").split(separator: " ").count { $0 != "///" }
        #expect(words >= 4, "\(file): \(line)")
      }
    }
    #expect(exported.count > 10 && types > 100)
  }

  @Test(.systemRun)
  func `has shell blocks whose commands run, and print what the page shows`() throws {
    let result = try documentation("blocks")
    #expect(result.exitCode == 0, "\(result.error)")
    // The last line counts commands that ran and that were compared.
    let counts = try #require(result.output.split(separator: "\n").last).split(separator: " ")
      .compactMap { Int($0) }
    #expect(counts.count >= 3 && counts[1] > 100 && counts[2] > 10, "\(result.output)")
  }

  @Test(.systemRun)
  func `has pictures that are as the program draws them`() throws {
    let folders = ["images", "filters"].map { repositoryRoot.appending(path: "docs/\($0)") }
    // Moments of a live page and the layers of the sources are drawn by hand.
    let live: Set = ["serve.png", "serve-survey.png", "watch.png", "layers.svg"]
    let names = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(atPath: $0.path)
    }.filter { ($0.hasSuffix(".svg") || $0.hasSuffix(".png")) && !live.contains($0) }
    let result = try script("pictures", ["--check"] + names.map { String($0.dropLast(4)) })
    #expect(names.count > 20 && result.exitCode == 0, "\(result.output)\(result.error)")
  }

  private func documentation(_ action: String) throws -> ProgramResult {
    try script("check", [action])
  }

  private func script(_ name: String, _ arguments: [String]) throws -> ProgramResult {
    let path = repositoryRoot.appending(path: "scripts/docs/" + name).path
    return try runProgram(
      "/usr/bin/env", ["RSSI_PROGRAM=\(builtProgram)", pythonPath, path] + arguments)
  }
}
