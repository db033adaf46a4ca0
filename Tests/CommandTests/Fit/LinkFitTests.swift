import Foundation
import TestSupport
import Testing

@Suite("rssi fit --links")
struct LinkFitTests {
  let folder: TemporaryDirectory
  let trace: String
  private static let places = [(0.0, 0.0), (6, 1), (12, 0), (1, 8), (7, 9), (25, 8)]

  /// Six gateways that advertise, with levels of -59 - 20 log10 d dBm; those below -85 dBm are lost.
  init() throws {
    folder = try TemporaryDirectory()
    trace = folder.path("night.h5")
    var rows = ["trace,time_s,receiver,beacon,rssi_dbm"]
    var nodes = ["node,role,x_m,y_m,z_m"]
    var time = 1_700_000_000
    for (i, here) in Self.places.enumerated() {
      nodes.append("gw\(i),receiver,\(here.0),\(here.1),2")
      nodes.append("b\(i),beacon,\(here.0),\(here.1),2")
      for (j, there) in Self.places.enumerated() where i != j {
        let level = -59 - 20 * log10(hypot(here.0 - there.0, here.1 - there.1))
        guard level > -85 else { continue }
        for _ in 0..<20 {
          rows.append("n,\(time),gw\(i),b\(j),\(Int(level.rounded()))")
          time += 1
        }
      }
    }
    for (name, lines) in [("rssi.csv", rows), ("nodes.csv", nodes)] {
      try lines.joined(separator: "\n").write(
        toFile: folder.path(name), atomically: true, encoding: .utf8)
    }
    try LocateRoom.succeed(
      "import", folder.path("rssi.csv"), "--nodes", folder.path("nodes.csv"), "-o", trace)
  }

  @Test func `the exponent and the powers of advertising gateways are found`() throws {
    let text = try LocateRoom.succeed(
      "fit", trace, "--links", "--sensitivity", "-85", "--json", "-q")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let links = try #require(document["links"] as? Int)
    #expect(links == 30)
    #expect(try #require(document["heard_links"] as? Int) < links)
    let interval = try #require(document["exponent_ci95"] as? [Double])
    #expect(interval[0] < 2 && 2 < interval[1])
    let beacons = try #require(document["beacons"] as? [[String: Any]])
    #expect(beacons.count == 6)
    for beacon in beacons {
      let own = try #require(beacon["ci95"] as? [Double])
      #expect(own[0] < -59 && -59 < own[1])
    }
    #expect(document["misplaced"] is NSNull)
    #expect((document["anchors"] as? [Any])?.count == 6)
  }

  @Test func `the calibration of each receiver is that of the report, and locates a tag`() throws {
    let file = folder.path("tags.json")
    let text = try LocateRoom.succeed(
      "fit", trace, "--links", "--by", "receiver", "-o", file, "--json", "-q")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let calibration = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
        as? [String: Any])
    #expect(calibration["by"] as? String == "receiver")
    let groups = try #require(calibration["groups"] as? [[String: Any]])
    #expect(groups.map { $0["receiver"] as? String } == (0..<6).map { "gw\($0)" })
    for group in groups {
      #expect(group["exponent"] as? Double == report["exponent"] as? Double)
      #expect(try #require(group["position_sd_db"] as? Double) > 0)
      // Every packet of a link has the same level.
      #expect(group["packet_sd_db"] as? Double == 0)
      let own = try #require((group["ci95"] as? [String: Any])?["measured_power_dbm"] as? [Double])
      #expect(own[0] < -59 && -59 < own[1])
    }
    let samples = groups.reduce(0) { $0 + ($1["samples"] as? Int ?? 0) }
    #expect(samples == 20 * (report["heard_links"] as? Int ?? 0))

    var rows = ["trace,time_s,receiver,beacon,rssi_dbm"]
    for (i, place) in Self.places.enumerated() {
      let level = Int((-59 - 20 * log10(hypot(place.0 - 5, place.1 - 5))).rounded())
      for packet in 0..<20 { rows.append("t,\(1_700_000_000 + packet),gw\(i),tag,\(level)") }
    }
    try rows.joined(separator: "\n").write(
      toFile: folder.path("tag.csv"), atomically: true, encoding: .utf8)
    try LocateRoom.succeed(
      "import", folder.path("tag.csv"), "--nodes", folder.path("nodes.csv"), "-o",
      folder.path("tag.h5"))
    let positions = folder.path("positions.csv")
    try LocateRoom.succeed(
      "locate", folder.path("tag.h5"), "--calibration", file, "--algorithm", "posterior-mean",
      "--epoch", "10s", "-o", positions)
    let lines = try String(contentsOfFile: positions, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let (x, y) = (
      try #require(lines[0].firstIndex(of: "x_m")), try #require(lines[0].firstIndex(of: "y_m"))
    )
    #expect(lines.count > 1)
    for line in lines[1...] {
      let (east, north) = (try #require(Double(line[x])), try #require(Double(line[y])))
      #expect(hypot(east - 5, north - 5) < 1.5)
    }
  }

  @Test(arguments: [["--by", "beacon"], ["--by", "series", "-o", "x"], ["--picture", "x.svg"]])
  func `options that do not go with links are refused`(options: [String]) throws {
    let result = try runProgram(builtProgram, ["fit", trace, "--links"] + options)
    #expect(result.exitCode == 64, "\(result.error)")
  }

  @Test func `a trace without links between fixed nodes is refused`() throws {
    let bare = folder.path("bare.h5")
    try LocateRoom.succeed("import", folder.path("rssi.csv"), "-o", bare)
    let result = try runProgram(builtProgram, ["fit", bare, "--links"])
    #expect(result.exitCode == 65)
    #expect(result.error.contains("at known places") || result.error.contains("--site"))
  }
}
