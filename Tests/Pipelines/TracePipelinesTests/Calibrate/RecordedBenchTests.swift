import Foundation
import PathLoss
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite struct RecordedBenchTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A table of twelve readings without a distance.
  private func write(_ name: String, level: Int) throws -> String {
    let lines = (0..<12).map { "\(1_700_000_000 + $0),phone,tag,\(level)\n" }
    return try folder.write("time_s,receiver,beacon,rssi_dbm\n" + lines.joined(), to: name)
  }

  private func calibrated(
    _ inputs: [String], _ change: (inout CalibrateRequest) -> Void
  ) throws -> CalibrateResult {
    var request = CalibrateRequest()
    request.inputs = inputs
    change(&request)
    return try CalibrateStage(request).run(
      in: StageContext(tool: ToolIdentity(version: "", commandLine: "")))
  }

  @Test func `each file is a pose, at its own distance and with its own name`() throws {
    let files = [try write("a.csv", level: -58), try write("b.csv", level: -66)]
    let result = try calibrated(files) {
      $0.distance = [1, 2]
      $0.pose = ["upright", "far"]
    }
    let poses = try #require(result.beacons.first).poses
    #expect(poses.map(\.name) == ["upright", "far"] && poses.map(\.distance) == [1, 2])
    #expect(result.beacons[0].power?.mean == -58)
    #expect(result.inputs.map(\.name) == files)
    let both = try calibrated(files) { $0.distance = [1] }
    #expect(both.beacons[0].power?.mean == -62)
  }

  @Test func `numbers of files, distances and names that do not go together are refused`() throws {
    let file = try write("a.csv", level: -58)
    for change: (inout CalibrateRequest) -> Void in [
      { $0.distance = [1, 2] }, { ($0.distance, $0.pose) = ([1], ["a", "b"]) },
      { ($0.distance, $0.precision) = ([1], 0) }, { ($0.distance, $0.pose) = ([1], [""]) },
    ] {
      #expect {
        try calibrated([file], change)
      } throws: { ($0 as? RSSIError)?.kind == .usage }
    }
  }

  @Test func `one recording under two names, and a series that is not there, are refused`() throws {
    let files = [try write("a.csv", level: -58), try write("b.csv", level: -58)]
    #expect {
      try calibrated(files) { $0.distance = [1] }
    } throws: { "\($0)".contains("the same content") }
    #expect {
      try calibrated([files[0]]) { ($0.distance, $0.series) = ([1], ["nowhere"]) }
    } throws: { "\($0)".contains("no series \"nowhere") }
  }
}
