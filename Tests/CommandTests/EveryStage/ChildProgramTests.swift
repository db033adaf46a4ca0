import Foundation
import Glibc
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite("Programs that a stage starts")
struct ChildProgramTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `inherit no secret`() throws {
    let result = try runProgram(
      builtProgram, ["watch", walk, "--quiet", "--on-event", "env >>'\(folder.path("env"))'"],
      environment: [
        "RSSI_MQTT_PASSWORD": "s3cret", "RSSI_REGISTRY_TOKEN": "t0ken", "RSSI_OTHER": "kept",
      ])
    #expect(result.exitCode == 0, "\(result.error)")
    let environment = try String(contentsOfFile: folder.path("env"), encoding: .utf8)
    #expect(environment.contains("RSSI_OTHER=kept"))
    #expect(!environment.contains("s3cret") && !environment.contains("t0ken"))
  }

  /// In a session of its own only /proc shows whose child it is.
  @Test(arguments: [
    "setsid sleep 600 &", "setsid sh -c 'sleep 600 & sleep 601' & setsid -f sleep 602",
  ])
  func `end with the run`(_ background: String) throws {
    let room = try simulatedRoom(in: folder)
    let (trace, calibration) = (folder.path("t.h5"), folder.path("c.json"))
    #expect(
      try rssi(
        "import", room + "/rssi.csv", "--nodes", room + "/nodes.csv", "--truth",
        room + "/truth.csv", "-o", trace
      ).exitCode == 0)
    #expect(try rssi("fit", room + "/distances.csv", "-o", calibration).exitCode == 0)
    let script = try folder.write(
      """
      \(background)
      read site
      while read epoch; do echo '{"refused": "declined"}'; done
      """, to: "program")
    // What the program leaves is found by this variable.
    let token = UUID().uuidString
    let result = try runProgram(
      builtProgram,
      ["eval", trace, "--calibration", calibration, "--algorithm", "exec:sh \(script)"],
      environment: ["TEST_TOKEN": token])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(running(with: token).isEmpty)
  }

  private func running(with token: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      guard Int(name) != nil else { return false }
      let variables = FileManager.default.contents(atPath: "/proc/\(name)/environ") ?? Data()
      return variables.contains(Data("TEST_TOKEN=\(token)".utf8))
    }
  }
}

extension Data {
  fileprivate func contains(_ part: Data) -> Bool { range(of: part) != nil }
}
