import Foundation
import TestSupport
import Testing

@Suite(
  "The program, fed by a broker",
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct GatewayProgramTests {
  private static let data = "0201061AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000010002C5"

  /// A capture of what one raw and one smoothing gateway publish, and a message that is none.
  private func capture(at distance: String, from broker: Broker, to trace: String) throws {
    let before = broker.subscriptions(to: "#")
    let program = try RunningProgram(
      builtProgram,
      ["capture", broker.url("#"), "--count", "3", "--distance", distance, "-o", trace])
    #expect(program.waits { broker.subscriptions(to: "#") > before }, "\(program.error)")
    func ruuvi(_ rssi: Int) -> String {
      #"{"gw_mac":"C8:25:2D:8E:9C:2C","rssi":\#(rssi),"aoa":[],"gwts":"1","ts":"1","data":"\#(Self.data)","coords":""}"#
    }
    let topic = "ruuvi/C8:25:2D:8E:9C:2C/AA:BB:CC:DD:EE:01"
    let id = "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-1-2"
    try broker.publish([ruuvi(-71), "not json"], to: topic)
    try broker.publish(
      [
        #"{"mac":"aabbccddee01","id":"\#(id)","rssi@1m":-59,"rssi":-70.25,"rxAdj":0,"distance":2.6,"int":200}"#
      ],
      to: "espresense/devices/\(id)/kitchen")
    try broker.publish([ruuvi(-73)], to: topic)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `records gateways and names doubtful levels`() throws {
    let folder = try TemporaryDirectory()
    let broker = try Broker(in: folder)
    let traces = [folder.path("near.h5"), folder.path("far.h5")]
    try capture(at: "2m", from: broker, to: traces[0])
    try capture(at: "4m", from: broker, to: traces[1])
    let check = try runPython(
      """
      import h5py, sys
      text = lambda column: [value.rstrip(b"\\0").decode() for value in column[:]]
      with h5py.File(sys.argv[1]) as f:
          kinds = dict(zip(text(f["receivers/id"]), text(f["receivers/rssi_kind"])))
          assert sorted(kinds.values()) == ["filtered", "raw"], kinds
          assert text(f["beacons/id"]) == ["ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"]
          assert list(f["sightings/rssi_dbm"]) == [-71, -70.25, -73]
          assert list(f["truth/distances/distance_m"]) == [2, 2]
          assert list(f["rejected/count"]) == [1]
      """, [traces[0]])
    #expect(check.exitCode == 0, "\(check.error)")
    let fit = try runProgram(builtProgram, ["fit", "--by", "receiver", "--json"] + traces)
    #expect(fit.exitCode == 0, "\(fit.error)")
    let document = try JSONSerialization.jsonObject(with: Data(fit.output.utf8)) as? [String: Any]
    let groups = try #require(document?["groups"] as? [[String: Any]])
    let doubted = groups.filter {
      ($0["warnings"] as? [String])?.contains { $0.contains("smooths") } == true
    }
    #expect(doubted.map { $0["receiver"] as? String } == ["kitchen"])
  }
}
