import Foundation
import TestSupport
import Testing

/// The help of a stage, or of the program.
private struct HelpPage {
  let stage: [String]
  let text: String

  var command: String { (["rssi help"] + stage).joined(separator: " ") }

  /// The stages that it lists under its subcommands.
  var subcommands: [String] {
    guard let list = text.split(separator: "SUBCOMMANDS:", maxSplits: 1).dropFirst().first else {
      return []
    }
    return list.matches(of: #/\n  ([a-z]+) /#).map { String($0.1) }
  }

  /// The commands of its examples, each on one line.
  var examples: [String] {
    guard let rest = text.split(separator: "\nEXAMPLES:\n", maxSplits: 1).dropFirst().first else {
      return []
    }
    return rest.prefix(upTo: rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex)
      .replacing(#/ \\\n +/#, with: " ").split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.hasPrefix("#") }
  }
}

/// Every help page, the program's first.
private let helpPages = Result { () throws -> [HelpPage] in
  var pages = [HelpPage]()
  var next = [[String]()]
  while let stage = next.popLast() {
    let result = try rssiHelp(stage)
    pages.append(HelpPage(stage: stage, text: result))
    next += pages[pages.count - 1].subcommands.map { stage + [$0] }
  }
  return pages
}

private func rssiHelp(_ stage: [String]) throws -> String {
  let result = try runProgram(builtProgram, ["help"] + stage)
  #expect(result.exitCode == 0, "\(result.error)")
  return result.output
}

@Suite("Help pages are complete, narrow, and their examples run")
struct HelpTests {
  @Test func `every page fits a terminal of 80 columns`() throws {
    let pages = try helpPages.get()
    #expect(pages.count > 25)
    for page in pages {
      for line in page.text.split(separator: "\n") {
        #expect(line.count <= 80, "\(page.command): \(line)")
      }
    }
  }

  @Test func `every page has two to four examples of its stage`() throws {
    for page in try helpPages.get() {
      #expect((2...4).contains(page.examples.count), "\(page.command)")
      let name = (["rssi"] + page.stage).joined(separator: " ")
      #expect(page.examples.contains { $0.contains(name) }, "\(page.command)")
    }
  }

  @Test func `every placeholder names a kind of value`() throws {
    for page in try helpPages.get() {
      // `--by <by>` repeats the option; a reader learns nothing from it.
      let repeated = page.text.matches(of: #/--([a-z-]+) <([a-z-]+)>/#)
        .filter { $0.1 == $0.2 && $0.1.contains("-") }.map { String($0.0) }
      #expect(repeated.isEmpty, "\(page.command): \(repeated)")
    }
  }

  /// The commands of an example but those that run the default trackers, which take minutes in a
  /// build for debugging.
  private static func withoutTracking(_ example: String) -> String {
    example.components(separatedBy: "&&").map { command in
      let isTracking =
        command.contains(#/rssi (eval|locate) /#) && !command.contains("--algorithm")
      return isTracking ? " true " : command
    }.joined(separator: "&&")
  }

  @Test func `examples run on the bundled data`() throws {
    let folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example")
    let setUp = """
      set -e
      cp '\(example.path)'/* .
      rssi import walk-*.btsnoop --receiver phone --nodes nodes.csv --truth truth.csv -o walks.h5
      rssi fit distances.csv -o calibration.json
      rssi registry import nodes.csv -o beacons.json
      """
    let path = URL(fileURLWithPath: builtProgram).deletingLastPathComponent().path
    func run(_ script: String) throws -> ProgramResult {
      try runProgram(
        "/bin/bash", ["-o", "pipefail", "-c", script], directory: folder.url,
        environment: ["PATH": path + ":/usr/bin:/bin", "RSSI_REGISTRY": folder.path("stored.json")])
    }
    let prepared = try run(setUp)
    try #require(prepared.exitCode == 0, "\(prepared.error)")
    var count = 0
    // What needs a radio, a broker or a server of its own, the parts of a session, and what serves
    // until it is stopped (ServeTests).
    let needsMore = [
      "hci0", "mqtt://", "mqtts://", "nats://", "https://example.org/beacons", "session merge",
      "rssi doctor", "rssi serve", "benchmark fetch",
    ]
    for page in try helpPages.get() {
      for example in page.examples where !needsMore.contains(where: example.contains) {
        // A reader such as head may close the pipe without a failure.
        let result = try run(isSystemRun ? example : Self.withoutTracking(example))
        #expect(result.exitCode == 0, "\(example)\n\(result.error)")
        count += 1
      }
    }
    #expect(count > 30)
  }
}

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

  @Test func `no help text has a phrase to avoid`() throws {
    let phrases = try Self.entries("avoid", " -> ")
    for page in try helpPages.get() {
      // The names of subcommands are not words of a sentence.
      let text = page.text.replacing(#/\n  [a-z]+  +/#, with: "\n").replacing(
        "session who", with: ""
      )
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for phrase in phrases {
        let pattern = try Regex("\\b\(phrase)\\b").ignoresCase()
        #expect(!text.contains(pattern), "\(page.command): \"\(phrase)\"")
      }
    }
  }

  @Test func `each term is defined once, and is not to be avoided`() throws {
    let terms = try Self.entries("use", " — ").flatMap { $0.split(separator: ", ") }.map(
      String.init)
    #expect(terms.count > 30)
    #expect(Set(terms).count == terms.count)
    #expect(Set(terms).isDisjoint(with: try Self.entries("avoid", " -> ")))
  }
}
