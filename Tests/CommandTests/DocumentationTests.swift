import Foundation
import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
  private static func page(_ name: String) throws -> String {
    try String(contentsOf: repositoryRoot.appending(path: "docs/\(name)"), encoding: .utf8)
  }

  @Test("has every page in its index")
  func index() throws {
    let index = try Self.page("README.md")
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: repositoryRoot.appending(path: "docs").path
    ).filter { $0.hasSuffix(".md") && $0 != "README.md" }
    #expect(pages.count > 30)
    for page in pages { #expect(index.contains("(\(page)"), "\(page)") }
  }

  @Test("has a table of contents on every long page, with all its sections")
  func contents() throws {
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

  @Test("explains every word of the word list in the glossary, and no other")
  func glossary() throws {
    let words = try Self.page("words.txt").split(separator: "\n")
      .filter { $0.hasPrefix("use: ") }
      .map { $0.dropFirst(5).replacing(" — ", with: " | ", maxReplacements: 1) }
    let rows = try Self.page("glossary.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| word |") }
      .map { $0.dropFirst(2).dropLast(2) }
    #expect(words.count > 30)
    #expect(rows.map(String.init).sorted() == words.map { String($0) }.sorted())
  }

  /// What blocks need that a test does not have: a log of a phone, a terminal.
  private static let needs = ["btsnoop_hci.log", "metre.h5", "rssi watch", "rssi serve"]

  /// Pages, and how many of their commands run; blocks without a language need more.
  @Test(
    "has tutorials whose commands run on the bundled example", .systemRun,
    arguments: [
      ("tutorial-site", 10), ("tutorial-power", 2), ("tutorial-cluster", 5),
      ("tutorial-gateways", 3), ("gallery", 7),
    ])
  func tutorials(name: String, count: Int) throws {
    let folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example")
    for file in try FileManager.default.contentsOfDirectory(atPath: example.path) {
      try FileManager.default.copyItem(
        at: example.appending(path: file), to: folder.url.appending(path: file))
    }
    let path = URL(filePath: builtProgram).deletingLastPathComponent().path
    let blocks = try Self.page("\(name).md").components(separatedBy: "```sh\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    var commands = 0
    for command in blocks.flatMap({ $0.replacing("\\\n", with: "").split(separator: "\n") })
    where command.hasPrefix("rssi ") && !Self.needs.contains(where: command.contains) {
      let result = try runProgram(
        "/bin/bash", ["-c", "PATH=\"\(path):$PATH\"; \(command)"], directory: folder.url)
      #expect(result.exitCode == 0, "\(command)\n\(result.error)")
      commands += 1
    }
    #expect(commands == count)
  }
}
