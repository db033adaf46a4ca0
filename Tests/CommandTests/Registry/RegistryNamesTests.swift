import Foundation
import TestSupport
import Testing

@Suite struct RegistryNamesTests {
  private let folder: TemporaryDirectory
  private let trace: String
  private let kept: String

  private static let door = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"
  private static let hall = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:3"

  init() throws {
    folder = try TemporaryDirectory()
    trace = folder.path("trace.h5")
    kept = try folder.write("id,name\n\(Self.door),front door\n", to: "kept.csv")
    var table = "series,time_s,receiver,beacon,rssi_dbm,distance_m\n"
    var time = 0.0
    for (beacon, power) in [(Self.door, -59.0), (Self.hall, -62)] {
      for distance in [1.0, 2, 4, 8] {
        for step in 0..<30 {
          time += 0.1
          let level = power - 20 * log10(distance) + Double(step % 5) - 2
          table += "bench,\(time),phone,\(beacon),\(level),\(distance)\n"
        }
        time += 10
      }
    }
    try copyPrepared("readings of a door and a hall", to: folder) { folder in
      try LocateRoom.succeed(
        "import", folder.write(table, to: "readings.csv"), "-o", folder.path("trace.h5"))
    }
  }

  private func run(_ arguments: String...) throws -> String { try run(arguments) }

  private func run(_ arguments: [String]) throws -> String {
    let result = try runProgram(builtProgram, arguments, environment: ["RSSI_REGISTRY": kept])
    #expect(result.exitCode == 0, "\(result.error)")
    return result.output
  }

  @Test func `stages call beacons by name`() throws {
    let out = folder.path("out.h5")
    let filtered = try run("filter", trace, "-o", out)
    #expect(filtered.contains("\nfront door "))
    #expect(!filtered.contains(Self.door))
    #expect(filtered.contains(Self.hall))
    let links = try json(run("filter", trace, "-o", out, "--json"))["links"] as? [[String: Any]]
    #expect(links?.map { $0["beacon"] as? String } == [Self.door, Self.hall])
    #expect(links?.map { $0["name"] as? String } == ["front door", nil])
    #expect(try run("fit", trace, "--by", "beacon").contains("\nfront door "))
    #expect(try run("fit", trace, "--by", "link").contains("\nfront door/phone "))
    let calibrated = try run("calibrate", trace, "--all-beacons")
    #expect(calibrated.hasPrefix("front door (\(Self.door))\n"))
    #expect(try run("info", trace).contains("\nknown         front door\n"))
    let names = try json(run("info", trace, "--json"))["names"] as? [String: String]
    #expect(names == [Self.door: "front door"])
  }

  @Test func `nodes are located by their names, and shown so`() throws {
    let calibration = folder.path("calibration.json")
    _ = try run("fit", trace, "-o", calibration)
    let nodes = try folder.write("node,role,x_m,y_m\nphone,receiver,0,0\n", to: "phone.csv")
    let arguments =
      [
        "locate", trace, "--calibration", calibration, "--nodes", nodes, "--node", "front door",
      ] + LocateRoom.quick
    let report = try json(
      runProgram(
        builtProgram, arguments + ["--json"], environment: ["RSSI_REGISTRY": kept]
      ).output)
    let located = try #require(report["nodes"] as? [[String: Any]])
    #expect(located.map { $0["node"] as? String } == [Self.door])
    #expect(located.first?["name"] as? String == "front door")
    let text = try runProgram(builtProgram, arguments + ["--registry", kept]).output
    #expect(text.contains("front door"))
    #expect(!text.contains(Self.door))
    let positions = try #require(report["positions"] as? [[String: Any]])
    #expect(positions.allSatisfy { $0["name"] as? String == "front door" })
    let line = try run(arguments + ["-o", "-"]).prefix { $0 != "\n" }
    #expect(try json(String(line))["name"] as? String == "front door")
    let table = folder.path("positions.csv")
    _ = try run(arguments + ["-o", table])
    let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    #expect(rows[0].hasSuffix(",no_covariance,name"))
    #expect(rows.dropFirst().allSatisfy { $0.hasSuffix(",front door") })
    let unregistered = arguments.map { $0 == "front door" ? Self.door : $0 }
    _ = try run(unregistered + ["-o", table, "--registry", "none"])
    let unnamed = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    #expect(unnamed.dropFirst().allSatisfy { $0.hasSuffix(",") })
  }

  @Test func `the floor plan of an evaluation has the names of anchors`() throws {
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    let walks = folder.path("walks.h5")
    let imported = try rssi(
      "import", "\(example)/walk-1.btsnoop", "--receiver", "phone", "--nodes",
      "\(example)/nodes.csv", "--truth", "\(example)/truth.csv", "-o", walks)
    try #require(imported.exitCode == 0, "\(imported.error)")
    let nodes = try String(contentsOfFile: "\(example)/nodes.csv", encoding: .utf8)
    let row = try #require(nodes.split(separator: "\n").dropFirst().first)
    let beacon = row.prefix { $0 != "," }
    let registry = try folder.write("id,name\n\(beacon),coat rack\n", to: "anchors.csv")
    let page = folder.path("report.html")
    let calibration = folder.path("bench.json")
    _ = try run("fit", "\(example)/distances.csv", "-o", calibration)
    let result = try rssi(
      "eval", walks, "--calibration", calibration, "--algorithms", "centroid",
      "--registry", registry, "--report", page)
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains(">coat rack</text>"))
  }

  @Test func `places and pictures are of beacons by their names`() throws {
    let recording = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    let out = folder.path("placed.h5")
    let arguments = ["capture", "replay:\(recording)", "--speed", "max", "-o", out]
    let place = ["--registry", kept, "--beacon-at"]
    let named = try runProgram(builtProgram, arguments + place + ["front door=4,5"])
    #expect(named.exitCode == 0, "\(named.error)")
    let anchors = try rssi("info", out).output
    #expect(anchors.contains("beacons       9, 1 at known places"))
    #expect(try runProgram(builtProgram, arguments + place + ["back door=4,5"]).exitCode == 64)
    let picture = folder.path("link.svg")
    let drawn = try rssi(
      "filter", trace, "--compare", "ewma", "--picture", picture, "--picture-beacon", "front door",
      "--registry", kept)
    #expect(drawn.exitCode == 0, "\(drawn.error)")
    #expect(
      try rssi(
        "filter", trace, "--compare", "ewma", "--picture", picture, "--picture-beacon", "no door",
        "--registry", kept
      ).exitCode == 64)
  }

  @Test func `commands of registries take the option too`() throws {
    for command in ["list", "check"] {
      let option = try rssi("registry", command, "--registry", kept)
      #expect(option.exitCode == 0, "\(option.error)")
      #expect(try rssi("registry", command, kept).output == option.output)
      #expect(try rssi("registry", command, kept, "--registry", kept).exitCode == 64)
      #expect(try rssi("registry", command, "--registry", "none").exitCode == 64)
    }
  }

  @Test func `without a registry nothing changes`() throws {
    let known = try run("info", trace, "--registry", "none")
    #expect(try rssi("info", trace).output == known)
    #expect(!known.contains("\nknown "))
  }

  @Test func `a broken registry is reported`() throws {
    let broken = try folder.write("id,name\ndoor,front door\n", to: "broken.csv")
    let result = try runProgram(
      builtProgram, ["info", trace], environment: ["RSSI_REGISTRY": broken])
    #expect(result.exitCode == 65)
    #expect(result.error.contains("line 2") && result.error.contains("--registry none"))
    #expect(try rssi("info", trace, "--registry", folder.path("missing.csv")).exitCode == 66)
    // A kept one that is not there yet is none.
    let missing = try runProgram(
      builtProgram, ["info", trace], environment: ["RSSI_REGISTRY": folder.path("missing.csv")])
    #expect(missing.exitCode == 0)
  }

  @Test func `two beacons of one name are distinguished`() throws {
    let same = try folder.write("id,name\n\(Self.door),door\n\(Self.hall),door\n", to: "same.csv")
    let result = try rssi("filter", trace, "-o", folder.path("out.h5"), "--registry", same)
    let names = [Self.door, Self.hall].map { "\ndoor (\($0)) " }
    #expect(names.allSatisfy { result.output.contains($0) })
  }

  @Test func `import writes what is known into the trace`() throws {
    let registry = try folder.write(
      "id,name,x_m,y_m,z_m,measured_power_dbm\n\(Self.door),front door,1,2,3,-59.5\n\(Self.hall),hall,5,6,,\n",
      to: "registry.csv")
    let nodes = try folder.write(
      "node,role,x_m,y_m,name\n\(Self.hall),beacon,7,8,great hall\n", to: "nodes.csv")
    let out = folder.path("known.h5")
    let result = try rssi(
      "import", folder.path("readings.csv"), "--registry", registry, "--nodes", nodes, "-o", out)
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.output.contains("2 at known places"))
    #expect(result.output.contains("front door"))
    let table = try runPython(
      """
      import h5py, sys
      b = h5py.File(sys.argv[1])["beacons"]
      for i in range(2): print(b["name"][i].decode(), b["x_m"][i], b["y_m"][i], b["z_m"][i], b["measured_power_dbm"][i])
      """, [out])
    #expect(
      table.output == "front door 1.0 2.0 3.0 -59.5\ngreat hall 7.0 8.0 nan nan\n", "\(table.error)"
    )
  }
}
