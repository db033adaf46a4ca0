import Foundation
import TestSupport
import Testing

/// `--duration` of the stages that listen until they are stopped.
struct DurationTests {
  private let folder: TemporaryDirectory
  private let calibration: String
  private let trace: String

  init() throws {
    folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    calibration = folder.path("c.json")
    trace = folder.path("walk.h5")
    try #require(
      try rssi("fit", "\(room)/distances.csv", "-o", calibration, "--quiet").exitCode == 0)
    try #require(
      try rssi(
        "import", "\(room)/walk-1.btsnoop", "--nodes", "\(room)/nodes.csv", "--receiver", "phone",
        "-o",
        trace
      ).exitCode == 0)
  }

  @Test(arguments: ["watch", "locate", "serve"])
  func `a live stage ends by itself`(stage: String) throws {
    // A quarter of an hour as it was: only the duration ends it within the time of a test.
    let source = "replay:\(try longWalk.get())"
    let arguments =
      switch stage {
      case "watch": ["watch", source, "--format", "ndjson", "--ranging"]
      case "locate": ["locate", "replay:\(trace)", "--speed", "0.01", "--calibration", calibration]
      default: ["serve", source, "--listen", "127.0.0.1:0"]
      }
    let result = try runProgram(builtProgram, arguments + ["--duration", "1s"])
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `a stream ends, too, while its writer goes on`() throws {
    let result = try runProgram(
      "/bin/sh", ["-c", "sleep 600 | (\"$0\" watch - --duration 1s; kill 0)", builtProgram])
    #expect(!result.error.contains("rssi:"), "\(result.error)")
  }

  @Test func `sources with an end have no duration`() throws {
    for arguments in [
      ["watch", trace], ["locate", trace, "--calibration", calibration],
      ["locate", "-", "--calibration", calibration],
    ] {
      let result = try runProgram(builtProgram, arguments + ["--duration", "1m"])
      #expect(result.exitCode == 64 && result.error.contains("--duration: "), "\(result.error)")
    }
    for time in ["soon", "0s", "-5s"] {
      let result = try runProgram(
        builtProgram, ["watch", "replay:\(trace)", "--speed", "max", "--duration=\(time)"])
      #expect(result.exitCode == 64 && result.error.contains("invalid duration"), "\(result.error)")
    }
  }
}
