import Foundation
import PathLoss
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

@testable import Reporting

@Suite struct CalibrateReportTests {
  private func result(_ beacon: String) throws -> CalibrateResult {
    let folder = try TemporaryDirectory()
    let quoted = "\"" + beacon.replacing("\"", with: "\"\"") + "\""
    var text = "time_s,receiver,beacon,rssi_dbm,distance_m,pose\n"
    for pose in 0..<3 {
      for second in 0..<12 {
        text += "\(1_700_000_000 + 100 * pose + second),phone,\(quoted),\(-60 - pose),1,\(pose)\n"
      }
    }
    var request = CalibrateRequest()
    request.inputs = [try folder.write(text, to: "bench.csv")]
    request.beacon = [beacon]
    return try CalibrateStage(request).run(
      in: StageContext(tool: ToolIdentity(version: "", commandLine: "")))
  }

  @Test func `the table has a row per beacon, in which a name is never a formula`() throws {
    let beacons = try result("=1+1,\"x\"").beacons
    let lines = BeaconTable(beacons).text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[1] == "\"'=1+1,\"\"x\"\"\",beacon,,,,other,,,,,,-61.00,0xC3,-20")
  }

  @Test func `identities are taken apart for flashing tools`() throws {
    let beacons = try result("ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:3:65535").beacons
    #expect(
      BeaconTable(beacons).text.contains(
        ",ibeacon,5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365,3,65535,,,-61.00,"))
  }

  @Test func `the document names who made it, the text shows interval and poses`() throws {
    let report = CalibrateReport(
      try result("tag"), by: ToolIdentity(version: "1.2.3", commandLine: "tests"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(jsonText(report.json).utf8)) as? [String: Any])
    #expect(document["tool_version"] as? String == "1.2.3")
    #expect(document["command_line"] as? String == "tests")
    #expect(document["source"] is NSNull)
    let lines = report.text.split(separator: "\n")
    #expect(lines[0] == "tag")
    #expect(lines.contains { $0.contains("-61.00 ± 2.48 dBm") })
    #expect(lines.count { $0.contains("12") && $0.contains("1 m") } == 3)
  }
}
