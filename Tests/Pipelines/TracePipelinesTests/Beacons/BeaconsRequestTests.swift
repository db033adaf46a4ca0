import Foundation
import Registries
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

@Suite("Devices of inputs")
struct BeaconsRequestTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func table(_ rows: [String], _ name: String) throws -> String {
    try folder.write(
      "trace,time_s,receiver,beacon,rssi_dbm,channel\n" + rows.joined(separator: "\n") + "\n",
      to: name)
  }

  private func devices(_ inputs: [String]) throws -> [HeardDevice] {
    try BeaconsStage(BeaconsRequest(inputs: inputs)).run(
      in: StageContext(tool: ToolIdentity(version: "", commandLine: ""))
    ).devices
  }

  @Test func `levels that are not available are sightings without a level`() throws {
    let devices = try devices([
      table(["w,1,r,a,-60,37", "w,2,r,a,127,39", "w,3,r,a,,37", "w,4,r,b,127,"], "t.csv")
    ])
    let (a, b) = (devices[0], devices[1])
    #expect((a.beacon, a.sightings, a.levels?.mean) == ("a", 3, -60))
    #expect(a.levels?.deviation == nil)
    #expect(a.channels == [37, 39])
    #expect((a.first, a.last) == (1_000_000_000, 3_000_000_000))
    #expect((b.beacon, b.sightings, b.levels, b.rate) == ("b", 1, nil, nil))
    #expect(b.channels == [])
    #expect(a.kind == "other")
  }

  @Test
  func `the rate is of the time of each trace of each file, not of that between them`() throws {
    // 3 s and 1 s long, interleaved, a day apart from 2 s in another file.
    let first = try table(
      ["w,0,r,a,-60,", "x,0.5,r,a,-60,", "w,2,r,a,-60,", "x,1.5,r,a,-60,", "w,3,r,a,-60,"], "1.csv")
    let second = try table(["w,86400,r,a,-60,", "w,86402,r,a,-60,", "v,90000,r,a,-60,"], "2.csv")
    let device = try #require(try devices([first, second]).first)
    #expect(device.sightings == 8)
    let (intervals, seconds) = (4.0, 6.0)
    #expect(device.rate == intervals / seconds)
    #expect((device.first, device.last) == (0, 90_000_000_000_000))
  }

  @Test func `one advertising event has no rate`() throws {
    let pair = try table(["w,1.0,r,a,-60,37", "w,1.01,r,a,-61,38"], "1.csv")
    #expect(try devices([pair])[0].rate == nil)
    let events = try table(["w,1.0,r,a,-60,37", "w,1.1,r,a,-61,38"], "2.csv")
    #expect(isClose(try #require(devices([events])[0].rate), 10))
  }

  @Test func `a registry gives names, and powers if none is advertised`() throws {
    let path = try folder.write(
      #"[{"id": "addr:C0:FF:EE:00:00:01", "name": "door", "measured_power_dbm": -58.5}]"#,
      to: "registry.json")
    var request = BeaconsRequest(inputs: [try table(["w,1,r,addr:C0:FF:EE:00:00:01,-60,"], "t.csv")]
    )
    #expect(
      try BeaconsStage(request).run(
        in: StageContext(tool: ToolIdentity(version: "", commandLine: ""))
      ).devices[0].name == nil)
    request.registry = try RegistryDocument(whole: path).registry
    let device = try BeaconsStage(request).run(
      in: StageContext(tool: ToolIdentity(version: "", commandLine: ""))
    ).devices[0]
    #expect(device.name == "door")
    #expect(device.statedPower == -58.5)
  }

  @Test func `orders`() throws {
    let path = try table(
      [
        "w,1,r,c,-50,", "w,2,r,a,-70,", "w,3,r,a,-71,", "w,2.5,r,b,,", "w,2.6,r,b,,",
        "w,9,r,d,-60,",
      ],
      "t.csv")
    for (order, expected) in [
      (DeviceOrder.sightings, "abcd"), (.rssi, "cdab"), (.rate, "bacd"), (.name, "abcd"),
      (.first, "cabd"), (.last, "dabc"), (.beacon, "abcd"),
    ] {
      var request = BeaconsRequest(inputs: [path])
      request.order = order
      let found = try BeaconsStage(request).run(
        in: StageContext(tool: ToolIdentity(version: "", commandLine: ""))
      ).devices.map(\.beacon).joined()
      #expect(found == expected, "\(order)")
    }
  }

  @Test func `a file that is there twice is refused, by any name`() throws {
    let path = try table(["w,1,r,a,-60,"], "t.csv")
    let other = folder.url.path + "/./t.csv"
    for (inputs, kind) in [([path, other], RSSIError.Kind.badInput), (["-", "-"], .usage)] {
      let error = #expect(throws: RSSIError.self) { try devices(inputs) }
      #expect(error?.kind == kind)
    }
  }
}
