import Foundation
import TestSupport
import Testing

@Suite("Beacons are named on the command line as they are shown")
struct BeaconNamingTests {
  private static let door = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"
  private static let hall = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:3"
  private let folder: TemporaryDirectory
  private let bench: String
  private let registry: String

  init() throws {
    folder = try TemporaryDirectory()
    registry = try folder.write(
      "id,name\n\(Self.door),Front door\n\(Self.hall),Hall\n", to: "registry.csv")
    var table = "series,time_s,receiver,beacon,rssi_dbm,distance_m,pose\n"
    for (number, series) in ["monday", "tuesday", "sunday"].enumerated() {
      for beacon in [Self.door, Self.hall] {
        for packet in 0..<30 {
          table +=
            "\(series),\(1_700_000_000 + number * 1000 + packet),phone,\(beacon),\(-59 - number - packet % 3),1,upright\n"
        }
      }
    }
    bench = try folder.write(table, to: "bench.csv")
  }

  @Test func `calibrate, capture and watch take names of the registry`() throws {
    let calibrated = try rssi("calibrate", bench, "--registry", registry, "--beacon", "Front door")
    #expect(calibrated.exitCode == 0, "\(calibrated.error)")
    #expect(
      calibrated.output.hasPrefix("Front door (") && calibrated.output.contains("(\(Self.door))"))
    let trace = folder.path("t.h5")
    #expect(try rssi("import", bench, "-o", trace).exitCode == 0)
    let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    let third = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:3"
    let walked = try folder.write("id,name\n\(third),Lift\n", to: "walk.csv")
    let captured = try ["Lift", third].map { beacon in
      try rssi(
        "capture", "replay:\(walk)", "--speed", "max", "--registry", walked, "--beacon", beacon,
        "-o", "-")
    }
    #expect(captured[0].exitCode == 0 && captured[0].output == captured[1].output)
    let lines = captured[0].output.split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(third) })
    for option in ["--region", "--seek"] {
      let watched = try rssi(
        "watch", trace, "--registry", registry, option, "Hall", "--format", "ndjson", "--quiet")
      #expect(watched.exitCode == 0, "\(watched.error)")
      #expect(watched.output.contains(Self.hall) && !watched.output.contains(Self.door))
    }
  }

  @Test func `a name that none has, or several have, is refused`() throws {
    let shared = try folder.write(
      "id,name\n\(Self.door),Twin\n\(Self.hall),Twin\n", to: "shared.csv")
    let cases = [
      ("--region", "nothing"), ("--seek", "nothing"), ("--region", "Twin"), ("--seek", "Twin"),
    ]
    for (option, name) in cases {
      let result = try rssi("watch", bench, "--registry", shared, option, name)
      #expect(result.exitCode == 64)
      #expect(
        result.error.contains(name == "Twin" ? "2 beacons" : "expected a beacon"),
        "\(result.error)")
    }
    let result = try rssi(
      "capture", "replay:\(bench)", "--registry", shared, "--beacon", "nothing", "-o", "-")
    #expect(result.exitCode == 64 && result.error.contains("expected a beacon or a name"))
  }

  @Test func `a watch of silent beacons lists the heard ones`() throws {
    let sought = try rssi(
      "watch", bench, "--seek", "AA:BB:CC:DD:EE:FF", "--registry", "none", "--format", "ndjson")
    let heard = "ibeacon:…:1:2, ibeacon:…:1:3\n"
    #expect(sought.error.hasSuffix(heard) && sought.error.contains("AA:BB:CC:DD:EE:FF"))
    let region = try rssi(
      "watch", bench, "--region", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:9", "--registry", "none",
      "--format", "ndjson")
    #expect(region.error.hasSuffix(heard) && region.error.contains("regions"))
  }

  @Test func `a watch that fails prints the cause, and nothing before it`() throws {
    let result = try rssi("watch", "replay:\(folder.path("nofile"))", "--registry", "none")
    #expect(result.exitCode == 66)
    #expect(result.error.hasPrefix("rssi: ") && !result.error.contains("heard"), "\(result.error)")
  }

  @Test
  func `a table with distances takes neither --distance nor --pose, and --series chooses`() throws {
    let all = ["calibrate", bench, "--registry", "none", "--beacon", Self.door]
    for option in [["--distance", "2m"], ["--pose", "separate"]] {
      let result = try runProgram(builtProgram, all + option)
      #expect(result.exitCode == 64)
      #expect(
        result.error.contains("\(option[0]) is for"), "\(result.error)")
    }
    let one = try runProgram(builtProgram, all + ["--series", "tuesday", "--json"])
    #expect(one.exitCode == 0, "\(one.error)")
    let report = try json(one.output)
    let beacon = try #require((report["beacons"] as? [[String: Any]])?.first)
    #expect((beacon["poses"] as? [Any])?.count == 1)
    #expect((report["excluded"] as? [String: Int])?["other-series"] == 120)
    #expect(isClose(try #require(beacon["measured_power_dbm"] as? Double), -61, absolute: 0.1))
    let none = try runProgram(builtProgram, all + ["--series", "friday"])
    #expect(none.exitCode == 65)
    #expect(none.error.contains("monday, sunday"), "\(none.error)")
  }

  @Test func `a level is exported in the digits of its own precision`() throws {
    let table = try folder.write(
      "trace,time_s,receiver,beacon,rssi_dbm\nw,1700000000,phone,b,-72.31\nw,1700000001,phone,b,-60\n",
      to: "level.csv")
    let trace = folder.path("level.h5")
    #expect(try rssi("import", table, "-o", trace).exitCode == 0)
    let lines = try rssi("export", trace, "--format", "csv").output.split(separator: "\n")
    #expect(lines.dropFirst().map { $0.split(separator: ",")[4] } == ["-72.31", "-60"])
  }
}
