import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test func `shows the true output of its pipeline`() throws {
    let readme = try String(
      contentsOf: repositoryRoot.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(readme.components(separatedBy: "## A pipeline\n").last)
    let blocks = section.components(separatedBy: "```")
    let commands = blocks[1].split(separator: "\n").dropFirst().map(String.init)
    #expect(commands.count == 5)

    let folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example")
    for file in try FileManager.default.contentsOfDirectory(atPath: example.path) {
      try FileManager.default.copyItem(
        at: example.appending(path: file), to: folder.url.appending(path: file))
    }
    let path = URL(filePath: builtProgram).deletingLastPathComponent().path
    var lines: [Substring] = []
    for command in commands {
      let result = try runProgram(
        "/bin/bash", ["-c", "PATH=\"\(path):$PATH\"; \(command)"], directory: folder.url)
      #expect(result.exitCode == 0, "\(result.error)")
      let output = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      // The README leaves the filter's table of links out.
      lines += command.contains("filter") ? output.prefix(1) : output.dropLast()
    }
    #expect(lines.joined(separator: "\n") == blocks[3].trimmingCharacters(in: .newlines))

    let command = try #require(blocks[5].split(separator: "\n").last)
    let comparison = try runProgram(
      "/bin/bash", ["-c", "PATH=\"\(path):$PATH\"; \(command)"], directory: folder.url)
    #expect(comparison.exitCode == 0, "\(comparison.error)")
    #expect(comparison.output == blocks[7].trimmingCharacters(in: .newlines) + "\n")
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
