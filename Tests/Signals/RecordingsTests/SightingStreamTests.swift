import Recordings
import Sightings
import Support
import TestSupport
import Testing

@Suite struct SightingStreamTests {
  private let good = #"{"time_s":1.5,"beacon":"b","receiver":"r","rssi_dbm":-63}"#
  private func line(_ rest: String) -> String { good.dropLast() + "," + rest + "}\n" }

  @Test func `the four keys are enough`() throws {
    let reading = try readStream(good + "\n\n" + good)
    #expect(reading.all(\.time) == [1_500_000_000, 1_500_000_000])
    #expect(reading.beacons == ["b", "b"])
    #expect(reading.receivers == ["r", "r"])
    #expect(reading.traces == ["fallback", "fallback"])
    #expect(reading.all(\.rssi) == [-63, -63])
    #expect(reading.all(\.channel) == [255, 255])
    #expect(reading.all(\.stay) == [Sighting.none, Sighting.none])
    #expect(reading.catalogue.truth.isEmpty)
  }

  @Test func `optional keys are taken`() throws {
    let reading = try readStream(
      line(
        #""trace":"t","channel":38,"distance_m":4,"x_m":1,"y_m":-2e0,"z_m":0.5,"variance_db2":3"#)
        + line(#""trace":null,"channel":null,"distance_m":null,"x_m":null,"y_m":null"#))
    #expect(reading.traces == ["t", "fallback"])
    #expect(reading.all(\.channel) == [38, 255])
    #expect(reading.all(\.stay) == [0, Sighting.none])
    #expect(reading.catalogue.stays.map(\.distance) == [4])
    #expect(reading.catalogue.truth.map { [$0.x, $0.y, $0.z] } == [[1, -2, 0.5]])
    #expect(reading.catalogue.truth.map(\.role) == [.receiver])
  }

  @Test func `a frequency is a channel`() throws {
    let reading = try readStream(
      line(#""frequency_mhz":2402"#) + line(#""channel":3,"frequency_mhz":2402"#)
        + line(#""frequency_mhz":null"#) + line(#""frequency_mhz":2401"#))
    #expect(reading.all(\.channel) == [37, 3, 255])
    #expect(reading.refused == ["bad-channel": 1])
  }

  @Test func `other keys are passed over`() throws {
    let reading = try readStream(
      line(#""note":{"a":[1,{"b":"}]"},[]],"x_m":9},"y":[],"ok":true,"no":false,"x":{}"#))
    #expect(reading.refused.isEmpty)
    #expect(reading.all(\.rssi) == [-63])
    #expect(reading.catalogue.truth.isEmpty)
  }

  @Test(arguments: [
    (#""rssi_dbm":null"#, "nan"), (#""rssi_dbm":127"#, "nan"), (#""rssi_dbm":-70"#, "-70.0"),
  ])
  func `the last of repeated keys counts`(_ key: String, _ level: String) throws {
    let reading = try readStream(line(key))
    #expect(reading.all(\.rssi).map { "\($0)" } == [level])
  }

  @Test(arguments: [
    ("{", "bad-json"), ("[]", "bad-json"), ("x,y", "bad-json"), ("{}", "bad-time"),
    (#"{"time_s":"1","beacon":"b","receiver":"r"}"#, "bad-time"),
    (#"{"time_s":1,"beacon":7,"receiver":"r"}"#, "missing-name"),
    (#"{"time_s":1,"beacon":"","receiver":"r"}"#, "missing-name"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","trace":""}"#, "missing-name"),
    (#"{"time_s":1e99,"beacon":"b","receiver":"r"}"#, "bad-time"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":1e999}"#, "bad-rssi"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":"-6"}"#, "bad-json"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","channel":256}"#, "bad-channel"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","distance_m":-1}"#, "bad-distance"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","x_m":1}"#, "bad-position"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","z_m":1}"#, "bad-position"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","x_m":1e999,"y_m":1e999}"#, "bad-position"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","x_m":1,"y_m":1,"z_m":-1e999}"#, "bad-position"),
    (#"{"time_s":1,"beacon":"b","receiver":"r","x_m":"1","y_m":1}"#, "bad-json"),
    (String(repeating: " ", count: 70_000), "line-too-long"),
  ])
  func `a bad line is counted alone`(_ bad: String, _ reason: String) throws {
    let reading = try readStream("\(good)\n\(bad)\n\(good)\n\(bad)\n")
    #expect(reading.all(\.time).count == 2)
    #expect(reading.refused == [reason: 2])
    let text = problem { _ = try readStream("\n\(bad)\n\(bad)\n") }
    #expect(text == "none of its 2 lines is a sighting (line 2: \(reason))")
  }

  @Test func `an empty stream`() {
    #expect(throws: RSSIError.self) { _ = try readStream("") }
    #expect(throws: RSSIError.self) { _ = try readStream("\n\n") }
  }

  @Test(arguments: ["time_s,beacon,receiver,rssi_dbm\n1,b,r,-6\n", "\u{FEFF}trace,\"time_s\"\r\n"])
  func `a table is told apart`(_ text: String) throws {
    let text = try #require(problem { _ = try readStream(text) })
    #expect(text == "this is a CSV table, not NDJSON: give it a name that ends in .csv")
  }
}
