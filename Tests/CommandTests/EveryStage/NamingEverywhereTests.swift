import Foundation
import TestSupport
import Testing

@Suite("Addresses, spellings and shortened identities name beacons in all stages")
struct NamingEverywhereTests {
  private static let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"
  private static let third = "ibeacon:\(uuid):1:3"
  private static let example = repositoryRoot.appending(path: "notebooks-data/example").path
  private static let walk = "\(example)/walk-1.btsnoop"
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A table or a site of the example whose iBeacons, each sent from the address with its minor at
  /// the end, are written otherwise.
  private func spelled(_ name: String) throws -> String {
    var text = try String(contentsOfFile: "\(Self.example)/\(name)", encoding: .utf8)
    let spellings: [(Int) -> String] = [
      { "C0:FF:EE:00:00:0\($0)" }, { "c0ffee00000\($0)" }, { "c0-ff-ee-00-00-0\($0)" },
      { "c0ff.ee00.000\($0)" }, { "addr:c0:ff:ee:00:00:0\($0)" },
      { "ibeacon:\(Self.uuid.lowercased()):1:\($0)" }, { "{\(Self.uuid)}:1:\($0)" }, { "1:\($0)" },
    ]
    for (index, spelling) in spellings.enumerated() {
      text.replace("ibeacon:\(Self.uuid):1:\(index + 1)", with: spelling(index + 1))
    }
    return try folder.write(text, to: name)
  }

  private func trace(_ options: String...) throws -> String {
    let trace = folder.path("walk.h5")
    let result = try runProgram(
      builtProgram, ["import", Self.walk, "--receiver", "phone", "-o", trace] + options)
    try #require(result.exitCode == 0, "\(result.error)")
    return trace
  }

  @Test func `a table of nodes in other spellings gives the same anchors`() throws {
    for nodes in [try spelled("nodes.csv"), "\(Self.example)/nodes.csv"] {
      let info = try rssi("info", try trace("--nodes", nodes), "--registry", "none")
      #expect(info.output.contains("8, 8 at known places"), "\(info.output)")
    }
  }

  @Test func `the names of the trace name its beacons in every stage`() throws {
    let trace = try trace("--nodes", "\(Self.example)/nodes.csv")
    let kitchen = "ibeacon:\(Self.uuid):1:4"
    let (recorded, part) = (folder.path("o.h5"), folder.path("p.ndjson"))
    for words in [
      ["export", trace, "--beacon"], ["beacons", trace, "--beacon"],
      ["calibrate", trace, "--distance", "1m", "--beacon"],
      ["watch", trace, "--ranging", "--seek"],
      ["beacons", trace, "--part", part, "--beacon"],
      ["capture", "replay:\(trace)", "--speed", "max", "-o", recorded, "--json", "--beacon"],
    ] {
      let results = try ["Kitchen", kitchen].map {
        try runProgram(builtProgram, words + [$0, "--registry", "none"])
      }
      #expect(results.allSatisfy { $0.exitCode == 0 }, "\(words): \(results.map(\.error))")
      guard words[0] != "watch", words[0] != "capture" else { continue }
      #expect(results[0].output == results[1].output, "\(words)")
    }
    let exported = try rssi("export", trace, "--beacon", kitchen, "--registry", "none")
    #expect(try sightings(recorded) == exported.output.split(separator: "\n").count)
    let merged = try rssi("beacons", "--merge", part, "--registry", "none")
    #expect(merged.exitCode == 0 && merged.output.contains("1 device"), "\(merged.error)")
    let misspelled = try rssi("export", trace, "--beacon", "Kichen", "--registry", "none")
    #expect(misspelled.exitCode == 65 && misspelled.error.contains("did you mean \"Kitchen\""))
  }

  @Test
  func `positions are the same, whatever names the anchors have in the table or the site`() throws {
    let calibration = folder.path("cal.json")
    #expect(
      try rssi("fit", "\(Self.example)/distances.csv", "-o", calibration, "--quiet").exitCode == 0)
    let trace = try trace()
    var anchors: [[String]] = []
    for folder in [Self.example, nil] {
      let nodes = try folder.map { "\($0)/nodes.csv" } ?? spelled("nodes.csv")
      anchors.append(["--nodes", nodes])
    }
    var site = "[[rooms]]\nname = \"hall\"\npolygon = [[0, 0], [12, 0], [12, 8], [0, 8]]\n"
    for line in try String(contentsOfFile: anchors[1][1], encoding: .utf8).split(separator: "\n") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields[1] == "beacon" else { continue }
      site +=
        "[[anchors]]\nnode = \"\(fields[0])\"\nrole = \"beacon\"\nx_m = \(fields[2])\n"
        + "y_m = \(fields[3])\nz_m = \(fields[4])\n"
    }
    anchors.append(["--site", try folder.write(site, to: "site.toml")])
    let outputs = try anchors.map { options in
      let result = try runProgram(
        builtProgram,
        [
          "locate", trace, "--calibration", calibration, "--algorithm", "maximum-likelihood", "-o",
          "-",
        ]
          + options + ["--bounds", "0,0,12,8"])
      #expect(result.exitCode == 0 && !result.error.contains("not heard"), "\(result.error)")
      return result.output.split(separator: "\n")
    }
    #expect(outputs[0].count > 10 && outputs[0] == outputs[1])
    #expect(outputs[2].count == outputs[0].count)
    for (a, b) in zip(outputs[0], outputs[2]) {
      let (a, b) = (try json(String(a)), try json(String(b)))
      #expect(a["x_m"] as? Double == b["x_m"] as? Double && a["x_m"] != nil, "\(a) \(b)")
    }
  }

  @Test func `a registry by address names and places what was sent from it`() throws {
    let list = try folder.write(
      "name,mac,x_m,y_m,measured_power_dbm\nlift,c0-ff-ee-00-00-03,1,2,-61\n", to: "list.csv")
    let trace = try trace("--registry", list)
    let exported = try rssi("info", trace, "--json", "--registry", "none")
    #expect(exported.output.contains("lift"), "\(exported.output)")
    for file in [Self.walk, trace] {
      let beacons = try rssi("beacons", file, "--registry", list, "--json")
      #expect(beacons.error == "" && beacons.output.contains("\"name\" : \"lift\""))
    }
    let other = try folder.write("name,mac\nlift,c0ffee000009\n", to: "other.csv")
    for stage in [
      ["beacons", Self.walk], ["beacons", trace], ["import", Self.walk, "-o", folder.path("x.h5")],
      ["watch", Self.walk], ["info", trace],
    ] {
      let result = try runProgram(builtProgram, stage + ["--registry", other])
      #expect(result.exitCode == 0)
      #expect(
        result.error.contains("no entry of \(other)"),
        "\(stage): \(result.error)")
      #expect(result.error.contains("addr:C0:FF:EE:00:00"), "\(result.error)")
    }
    // The stored registry need not be of the recording at hand.
    let kept = try runProgram(
      builtProgram, ["beacons", Self.walk], environment: ["RSSI_REGISTRY": other])
    #expect(kept.exitCode == 0 && kept.error == "", "\(kept.error)")
  }

  @Test(arguments: [
    "1:3", "…:1:3", "...:1:3", "ibeacon:…:1:3", "5E1F…:1:3", "C0:FF:EE:00:00:03",
    "c0ffee000003", "c0-ff-ee-00-00-03 (random)", "{\(uuid.lowercased())}:1:3",
  ])
  func `options name one beacon by its address or a shortened identity`(_ name: String) throws {
    let trace = try trace()
    for stage in [
      ["watch", trace, "--format", "ndjson", "--seek", name],
      ["watch", Self.walk, "--format", "ndjson", "--region", name],
      ["export", trace, "--format", "ndjson", "--beacon", name],
      ["beacons", trace, "--json", "--beacon", name],
      ["calibrate", Self.walk, "--distance", "1m", "--json", "--beacon", name],
      ["capture", "replay:\(Self.walk)", "--speed", "max", "-o", "-", "--beacon", name],
    ] {
      let result = try runProgram(builtProgram, stage + ["--registry", "none"])
      #expect(result.exitCode == 0, "\(stage): \(result.error)")
      #expect(result.output.contains(Self.third), "\(stage): \(result.error)")
      #expect(!result.output.contains(":1:4"), "\(stage)")
    }
  }

  @Test func `a shortened identity that several beacons have is refused with them`() throws {
    var table = "time_s,receiver,beacon,rssi_dbm\n"
    let both = [Self.third, "ibeacon:6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:3"]
    for packet in 0..<40 {
      for beacon in both { table += "\(1_700_000_000 + packet),phone,\(beacon),-60\n" }
    }
    let file = try folder.write(table, to: "both.csv")
    let trace = folder.path("both.h5")
    #expect(try rssi("import", file, "-o", trace).exitCode == 0)
    for stage in [
      ["watch", file, "--seek"], ["watch", trace, "--region"],
      ["export", trace, "--format", "csv", "--beacon"], ["beacons", file, "--beacon"],
      ["calibrate", file, "--distance", "1m", "--beacon"],
    ] {
      let refused = try runProgram(builtProgram, stage + ["1:3", "--registry", "none"])
      #expect(refused.exitCode == 65, "\(stage): \(refused.error)")
      for (beacon, short) in zip(both, ["ibeacon:5E1F…:1:3", "ibeacon:6E1F…:1:3"]) {
        let isNamed = refused.error.contains(beacon) || refused.error.contains(short)
        #expect(isNamed, "\(stage): \(refused.error)")
      }
      let taken = try runProgram(builtProgram, stage + ["6E1F…:1:3", "--registry", "none"])
      #expect(taken.exitCode == 0, "\(stage): \(taken.error)")
    }
    let list = try folder.write("id\n\(both[0])\n\(both[1])\n", to: "list.csv")
    let named = try rssi("watch", file, "--seek", "1:3", "--registry", list)
    #expect(named.exitCode == 64 && named.error.contains(both[1]), "\(named.error)")
  }

  @Test func `truth by address is that of what was sent from it`() throws {
    let nodes = try folder.write("node,role,x_m,y_m\nphone,receiver,1,1\n", to: "nodes.csv")
    let truth = try folder.write(
      "trace,time_s,node,x_m,y_m\nwalk-1,1704067200,c0ffee000003,1,2\nwalk-1,1704067220,C0-FF-EE-00-00-03,1,2\n"
        + "walk-1,1704067200,1:4,3,2\nwalk-1,1704067220,1:4,3,2\n", to: "truth.csv")
    let trace = try trace("--nodes", nodes, "--truth", truth)
    let info = try rssi("info", trace, "--registry", "none")
    #expect(info.output.contains("4 positions"), "\(info.output)")
  }
}
