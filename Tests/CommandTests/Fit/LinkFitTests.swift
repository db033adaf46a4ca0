import Foundation
import TestSupport
import Testing

@Suite("rssi fit --links")
struct LinkFitTests {
  let folder: TemporaryDirectory
  let trace: String

  /// Six gateways that advertise, with levels of -59 - 20 log10 d dBm; those below -85 dBm are lost.
  init() throws {
    folder = try TemporaryDirectory()
    trace = folder.path("night.h5")
    let places = [(0.0, 0.0), (6, 1), (12, 0), (1, 8), (7, 9), (25, 8)]
    var rows = ["trace,time_s,receiver,beacon,rssi_dbm"]
    var nodes = ["node,role,x_m,y_m,z_m"]
    var time = 1_700_000_000
    for (i, here) in places.enumerated() {
      nodes.append("gw\(i),receiver,\(here.0),\(here.1),2")
      nodes.append("b\(i),beacon,\(here.0),\(here.1),2")
      for (j, there) in places.enumerated() where i != j {
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

  @Test(arguments: [["-o", "x.json"], ["--by", "beacon"], ["--picture", "x.svg"]])
  func `a report has neither groups nor files`(options: [String]) throws {
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
