import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test func `has at most 900 words`() throws {
    let readme = try String(
      contentsOf: repositoryRoot.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.split(whereSeparator: \.isWhitespace).count <= 900)
  }

  @Test func `shows the true output of its commands`() throws {
    let readme = try String(
      contentsOf: repositoryRoot.appending(path: "README.md"), encoding: .utf8)
    let block = try #require(readme.components(separatedBy: "```console\n").last)
      .components(separatedBy: "```")[0]
    let shown = block.components(separatedBy: "$ ").dropFirst()
    #expect(shown.count == 3)

    let folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example")
    for file in try FileManager.default.contentsOfDirectory(atPath: example.path) {
      try FileManager.default.copyItem(
        at: example.appending(path: file), to: folder.url.appending(path: file))
    }
    let path = URL(filePath: builtProgram).deletingLastPathComponent().path
    var count = 0
    for text in shown {
      let lines = text.split(separator: "\n").map(String.init)
      let result = try runProgram(
        "/bin/bash", ["-c", "PATH=\"\(path):$PATH\"; \(lines[0])"], directory: folder.url)
      #expect(result.exitCode == 0, "\(result.error)")
      // An ellipsis stands for lines that the README leaves out.
      for kept in lines.dropFirst().split(separator: "…") {
        let shown = kept.joined(separator: "\n") + "\n"
        #expect(result.output.contains(shown), "\(lines[0])\n\(result.output)")
      }
      count += lines.count - 1
    }
    #expect(count <= 10)
  }

  @Test func `links only to files that are there`() throws {
    var checked = 0
    let pages = try FileManager.default.subpathsOfDirectory(
      atPath: repositoryRoot.appending(path: "docs").path
    ).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
    let files = [
      "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "notebooks-data/README.md",
    ]
    for file in files + pages {
      let text = try String(contentsOf: repositoryRoot.appending(path: file), encoding: .utf8)
      let folder = repositoryRoot.appending(path: file).deletingLastPathComponent()
      for match in text.matches(of: /\]\(([^)#]+)\)/) where !match.1.hasPrefix("http") {
        #expect(
          FileManager.default.fileExists(atPath: folder.appending(path: String(match.1)).path),
          "\(file): \(match.1)")
        checked += 1
      }
    }
    #expect(checked > 150)
  }
}
