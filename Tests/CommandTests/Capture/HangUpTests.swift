import Foundation
import TestSupport
import Testing

@Suite("A terminal that closes") struct HangUpTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func calibration() throws -> [String] {
    let example = repositoryRoot.appending(path: "notebooks-data/example/distances.csv").path
    let path = folder.path("fit.json")
    let fit = try rssi("fit", example, "-o", path)
    try #require(fit.exitCode == 0, "\(fit.error)")
    let nodes = URL(filePath: try longWalk.get()).deletingLastPathComponent().appending(
      path: "nodes.csv"
    ).path
    return ["--receiver", "phone", "--calibration", path, "--nodes", nodes]
  }

  @Test(arguments: ["csv", "ndjson"])
  func `locate ends, and its output is whole`(_ kind: String) throws {
    let output = folder.path("positions." + kind)
    let program = try RunningProgram(
      builtProgram,
      ["locate", "replay:\(longWalk.get())", "--metrics", "0", "-o", output] + calibration())
    let isLocating = try program.waits {
      guard program.error.contains("/metrics") else { return false }
      return try scrapedMetrics(of: program)["rssi_positions_total{outcome=\"located\"}"] ?? 0 > 1
    }
    try #require(isLocating, "\(program.error)")
    program.send(SIGHUP)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.hasSuffix("\n") && text.split(separator: "\n").count > 1)
  }

  @Test func `serve ends, and the port is free`() throws {
    let program = try RunningProgram(
      builtProgram, ["serve", "replay:\(longWalk.get())", "--listen", "127.0.0.1:0"])
    let isListening = program.waits { program.output.contains("\n") }
    try #require(isListening, "\(program.error)")
    program.send(SIGHUP)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test(arguments: ["ndjson", "text"])
  func `watch ends`(_ format: String) throws {
    let program = try RunningProgram(
      builtProgram, ["watch", "replay:\(longWalk.get())", "--format", format])
    let isWatching = program.waits { program.output.contains("\n") }
    try #require(isWatching, "\(program.error)")
    program.send(SIGHUP)
    #expect(program.wait().exitCode == 0)
  }

  @Test func `a program that nohup started goes on`() throws {
    let program = try RunningProgram(
      "/usr/bin/nohup", [builtProgram, "watch", "replay:\(longWalk.get())", "--format", "ndjson"])
    let isWatching = program.waits { program.output.contains("enter") }
    try #require(isWatching, "\(program.error)")
    program.send(SIGHUP)
    let before = program.output.utf8.count
    let goesOn = program.waits { program.output.utf8.count > before }
    #expect(goesOn)
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
  }
}
