import Sightings
import Testing

@testable import Capture

@Suite struct GatewayRejectionTests {
  @Test(arguments: [
    ("online", "bad-json"), ("", "bad-json"), ("{", "bad-json"), ("[1,]", "bad-json"),
    (#"{"a":01}"#, "bad-json"), (#"{"a":1}x"#, "bad-json"), (#""\uD800""#, "bad-json"),
    ("{}", "unknown-dialect"), ("[]", "unknown-dialect"), ("42", "unknown-dialect"),
    (#"{"temperature":21.5}"#, "unknown-dialect"),
    (#"{"gw_mac":"","data":"020106","rssi":-1}"#, "missing-name"),
    (#"{"gw_mac":"a\u0000b","data":"020106","rssi":-1}"#, "bad-name"),
    (#"{"gw_mac":"g","data":"0201","rssi":"loud"}"#, "bad-rssi"),
    (#"{"gw_mac":"g","data":"0201","rssi":{}}"#, "bad-rssi"),
    (#"{"gw_mac":"g","data":"020","rssi":-60}"#, "bad-payload"),
    (#"{"gw_mac":"g","data":"02zz","rssi":-60}"#, "bad-payload"),
    (#"{"gw_mac":"g","data":7,"rssi":-60}"#, "bad-payload"),
  ])
  func `each reason has a name`(_ text: String, _ reason: String) {
    var readings = GatewayReadings()
    #expect(readings.read(Array(text.utf8), topic: "ruuvi/g/AA:BB:CC:DD:EE:FF").isEmpty)
    #expect(readings.rejected == [reason])
  }

  @Test func `an address has six bytes`() {
    var readings = GatewayReadings()
    let text = Array(#"{"gw_mac":"g","data":"020106","rssi":-60}"#.utf8)
    for address in ["AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:FG", "AABBCCDDEEF", "AA BB CC DD EE FF"] {
      #expect(readings.read(text, topic: "ruuvi/g/\(address)").isEmpty)
      #expect(readings.rejected == ["bad-address"])
    }
    #expect(readings.read(text, topic: "ruuvi/g/AABBCCDDEEFF").count == 1)
  }

  @Test func `data are at most what a controller reports`() {
    var readings = GatewayReadings()
    for (count, isTaken) in [(1650, true), (1651, false)] {
      let data = String(repeating: "00", count: count)
      let text = #"{"gw_mac":"g","data":"\#(data)","rssi":-60}"#
      #expect(
        readings.read(Array(text.utf8), topic: "ruuvi/g/AABBCCDDEEFF").isEmpty != isTaken)
    }
    #expect(readings.rejected == ["bad-payload"])
  }

  @Test func `a retained message is old`() {
    var readings = GatewayReadings()
    let sample = GatewaySamples.ruuvi
    #expect(readings.read(Array(sample.text.utf8), topic: sample.topic, isRetained: true).isEmpty)
    #expect(readings.rejected == ["retained"])
  }

  @Test func `a message of a million bytes is read`() {
    var readings = GatewayReadings()
    let row = #"{"type":"Unknown","mac":"AC233FA03208","rssi":-79,"rawData":"020106"}"#
    let head = #"[{"type":"Gateway","mac":"AC233FC001EA"}"#
    let rows = String(repeating: ",\(row)", count: 10_000)
    let text = Array("\(head)\(rows)]".utf8)
    #expect(readings.read(text, topic: "/gw/g/status").count == 10_000)
    let long = text + [UInt8](repeating: 32, count: GatewayReader.longestMessage)
    #expect(readings.read(long, topic: "/gw/g/status").isEmpty)
    #expect(readings.rejected == ["message-too-long"])
  }

  @Test func `a room full of receivers is refused`() {
    var readings = GatewayReadings()
    let values = (0..<257).map { #""r\#($0)":{"rssi":-60}"# }.joined(separator: ",")
    let text = #"{"entity":{"id":"ble-x","distances":{},"measuredValues":{\#(values)}}}"#
    #expect(readings.read(Array(text.utf8), topic: "room-assistant/x").isEmpty)
    #expect(readings.rejected == ["too-many-receivers"])
  }

  /// Numbers are handed on as they are: the builder has the rule for what is a level.
  @Test func `what is no level is missing`() {
    var readings = GatewayReadings()
    for number in ["127", "0", "200", "-128", "1e300", "-1e300", "null"] {
      let text = #"{"gw_mac":"g","data":"020106","rssi":\#(number)}"#
      let told = readings.read(Array(text.utf8), topic: "ruuvi/g/AABBCCDDEEFF")
      #expect(told.count == 1 && level(told[0].rssi).isNaN, "\(number)")
    }
    for (number, rssi) in [("-127", -127), ("\"-63\"", -63), ("-1", -1), ("-72.25", -72.25)] {
      let text = #"{"gw_mac":"g","data":"020106","rssi":\#(number)}"#
      let told = readings.read(Array(text.utf8), topic: "ruuvi/g/AABBCCDDEEFF")
      #expect(told.map(\.rssi) == [Float(rssi)], "\(number)")
    }
  }

  @Test func `a clock that cannot be right is not used`() {
    let second: Int64 = 1_000_000_000
    let arrival: Int64 = 1_700_000_000 * second
    for (stated, isUsed) in [
      ("1700000000", true), ("1700000059", true), ("1700000061", false), ("1699395201", true),
      ("1699395199", false), ("12", false), ("-1", false), ("1e40", false), ("\"\"", false),
      ("1700000000123", true), ("\"1700000000.5\"", true),
      ("\"2023-11-14T22:13:20Z\"", true), ("\"2023-11-14T22:13:20\"", false),
    ] {
      var readings = GatewayReadings()
      let text = #"{"gw_mac":"g","data":"020106","rssi":-60,"ts":\#(stated)}"#
      let told = readings.read(
        Array(text.utf8), topic: "ruuvi/g/AABBCCDDEEFF", arrival: arrival)
      // Readers keep what they can read; the clock of the gateway is judged by its messages.
      let uses = told.map {
        $0.timeKind != .arrival
          && GatewayClock.isPossible(GatewayClock.lateness(of: $0.time, arrival: arrival))
      }
      #expect(uses == [isUsed], "\(stated)")
      #expect(told.allSatisfy { $0.timeKind != .arrival || $0.time == arrival })
    }
  }
}
