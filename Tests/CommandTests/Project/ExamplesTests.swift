import Foundation
import TestSupport
import Testing

/// The examples of the library, built with the tests, and run on the bundled recordings.
@Suite struct ExamplesTests {
  private let data = repositoryRoot.appending(path: "notebooks-data/example")

  private func run(_ example: String, _ path: String, in folder: URL) throws -> ProgramResult {
    let program = builtProducts.appending(path: example)
    return try runProgram(program.path, [path], directory: folder)
  }

  @Test func `decodes beacons`() throws {
    let folder = try TemporaryDirectory()
    let result = try run(
      "decode-beacons", data.appending(path: "walk-1.btsnoop").path, in: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 9)
    let beacons = lines.dropLast().compactMap { line in
      line.wholeMatch(of: /(ibeacon:\S+): (\d+) packets, mean (-\d+\.\d) dBm/)
    }
    #expect(beacons.count == 8)
    // Every packet of the recording is one report of one beacon.
    let sum = beacons.compactMap { Int($0.2) }.reduce(0, +)
    #expect(lines.last == "\(sum) packets: \(sum) with reports, 0 other, 0 refused; 0 gaps")
  }

  @Test func `fits the bench as the program does`() throws {
    let folder = try TemporaryDirectory()
    let table = data.appending(path: "distances.csv").path
    let result = try run("fit-bench", table, in: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    let exponent = try exponent(of: table)
    let printed = try #require(result.output.firstMatch(of: /exponent: (\d+\.\d\d),/)).1
    #expect(abs(try #require(Double(printed)) - exponent) < 0.006)
    // The file that it writes is a calibration, which the program merges with its own.
    let merged = try rssi("fit", "--merge", folder.path("bench.json"), "--json")
    #expect(merged.exitCode == 0, "\(merged.error)")
  }

  @Test func `compares an algorithm of ones own`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("walks.h5")
    let walks = (1...6).map { data.appending(path: "walk-\($0).btsnoop").path }
    let imported = try runProgram(
      builtProgram,
      ["import"] + walks + [
        "--receiver", "phone", "--nodes", data.appending(path: "nodes.csv").path, "--truth",
        data.appending(path: "truth.csv").path, "-o", trace,
      ])
    try #require(imported.exitCode == 0, "\(imported.error)")
    let result = try run("compare-algorithms", trace, in: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    let names = result.output.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /(\S+): median error \d+\.\d\d m/).map { String($0.1) }
    }
    #expect(
      Set(names) == ["weighted-centroid", "maximum-likelihood", "power-weighted-mean"])
  }

  @Test(arguments: ["decode-beacons", "fit-bench", "compare-algorithms"])
  func `each example is at most 60 lines`(example: String) throws {
    let source = try String(
      contentsOf: repositoryRoot.appending(path: "Examples/\(example)/main.swift"), encoding: .utf8)
    #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
  }

  @Test func `refuses files that are not recordings`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("time_s,x\n", to: "no.btsnoop")
    let result = try run("decode-beacons", path, in: folder.url)
    #expect(result.exitCode == 65)
    #expect(result.output.contains("no.btsnoop"))
  }

  @Test(arguments: ["FilterLevels", "LocateOnce"])
  func `snippets of the documentation run`(snippet: String) throws {
    let folder = try TemporaryDirectory()
    let result = try run(snippet, "", in: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    // The first level of a Kalman filter is the first reading, with the deviation of its noise.
    let expected = snippet == "FilterLevels" ? "-61.0 ± 3.0" : "Point(x: "
    #expect(result.output.hasPrefix(expected))
  }

  @Test func `snippet fits readings`() throws {
    let folder = try TemporaryDirectory()
    let table = data.appending(path: "distances.csv").path
    let result = try run("FitReadings", table, in: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    let printed = try #require(result.output.firstMatch(of: /\nOptional\((\d+\.\d+)\)/)).1
    #expect(abs(try #require(Double(printed)) - exponent(of: table)) < 0.001)
  }

  /// The exponent that the program fits to a table.
  private func exponent(of table: String) throws -> Double {
    let own = try rssi("fit", table)
    let row = try #require(own.output.split(separator: "\n").first { $0.hasPrefix("pooled") })
    return try #require(Double(row.split(separator: " ")[3]))
  }

  @Test func `the program of the tutorial prints what the tutorial shows`() throws {
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/tutorial-swift.md"), encoding: .utf8)
    func snippet(_ name: String) throws -> Set<Substring> {
      Set(
        try String(
          contentsOf: repositoryRoot.appending(path: "Snippets/\(name).swift"), encoding: .utf8
        ).split(separator: "\n"))
    }
    let lines = try snippet("Tutorial").union(snippet("FiveSteps"))
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }.filter { !$0.contains("PackageDescription") }
    #expect(blocks.count == 2)
    for line in blocks.flatMap({ $0.split(separator: "\n") }) { #expect(lines.contains(line)) }

    let folder = try TemporaryDirectory()
    try FileManager.default.copyItem(
      at: data.appending(path: "distances.csv"), to: folder.url.appending(path: "distances.csv"))
    let result = try run("Tutorial", "", in: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(page.contains("```\n\(result.output)```\n"), "\(result.output)")
  }
}
