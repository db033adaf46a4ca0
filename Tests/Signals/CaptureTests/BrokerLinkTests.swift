import Advertising
import Support
import Testing

@testable import Capture

@Suite struct BrokerLinkTests {
  private func hexadecimal(_ text: String) -> String {
    text.utf8.map { hexadecimalByte(Int($0)) }.joined()
  }

  private func hexadecimalByte(_ value: Int) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }

  /// A message of Ruuvi's as an MQTT 3.1.1 packet without acknowledgement.
  private var publication: String { publication() }

  /// - Parameter identifier: 4 hexadecimal digits of a message that is sent at least once.
  private func publication(_ identifier: String = "", repeated: Bool = false, level: Int = -60)
    -> String
  {
    let topic = GatewaySamples.ruuvi.topic
    let payload = #"{"gw_mac":"g","data":"020106","rssi":\#(level)}"#
    let length = 2 + topic.utf8.count + payload.utf8.count + identifier.count / 2
    #expect(length < 128)
    let lengths = [30, length, 0, topic.utf8.count].enumerated().map {
      $0.offset == 0
        ? identifier.isEmpty ? "30" : repeated ? "3A" : "32"
        : hexadecimalByte($0.element)
    }
    return lengths.joined() + hexadecimal(topic) + identifier + hexadecimal(payload)
  }

  @Test func `a broker of MQTT 3.1.1 is spoken to in its words`() throws {
    for first in ["20020001/X", "X"] {
      let broker = try ScriptedBroker([first, "20020000/9003ID01\(publication)"])
      let sink = try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { !$0.reports.isEmpty }
      #expect(sink.reports.map(\.report.rssi) == [-60])
      #expect(sink.notes.count == 1)
      #expect(sink.notes.first?.contains("3.1.1") == true)
    }
  }

  /// The second connection goes on with the session and repeats what the first did not acknowledge;
  /// another message under a used identifier is new.
  @Test func `a repeated message is taken once`() throws {
    let broker = try ScriptedBroker([
      "20020001/X",
      "20020000/9003ID01\(publication("0001", level: -61))\(publication("0002", level: -62))/X",
      "20020100/9003ID01\(publication("0001", repeated: true, level: -61))"
        + publication("0002", level: -72) + publication("0003", level: -63),
    ])
    var options = GatewayOptions()
    options.clientID = "walk"
    let sink = try listen(
      "mqtt://127.0.0.1:\(broker.port)/ruuvi/#", options: options, savesAtTicks: false
    ) { $0.reports.contains { $0.report.rssi == -63 } }
    #expect(sink.reports.map(\.report.rssi) == [-61, -62, -72, -63])
  }

  /// The broker sends the eleventh message for the acknowledgement of the first.
  @Test func `a broker that waits gets its acknowledgements`() throws {
    let first = (1...10).map { publication("00" + hexadecimalByte($0), level: -10 - $0) }.joined()
    let broker = try ScriptedBroker([
      "20020001/X", "20020000/9003ID01\(first)/\(publication("000B", level: -21))",
    ])
    let sink = try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#", savesAtTicks: false) {
      $0.reports.count == 11
    }
    #expect(sink.reports.map(\.report.rssi) == (11...21).map { -Float($0) })
    #expect(sink.saves == 2)
  }

  @Test func `a topic may be forbidden`() throws {
    for (script, version) in [
      (["2003000000/9004ID0087"], "5"), (["20020001/X", "20020000/9003ID80"], "3.1.1"),
    ] {
      let broker = try ScriptedBroker(script)
      let error = #expect(throws: RSSIError.self, "\(version)") {
        try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
      }
      #expect(error?.kind == .permission)
      #expect(error?.description.contains("ruuvi/#") == true)
    }
  }

  @Test(arguments: [
    ("2003008600", RSSIError.Kind.permission), ("2003008700", .permission),
    ("2003008500", .usage), ("2003008800", .unavailable), ("2003009F00", .unavailable),
  ])
  func `a refusal has a kind`(_ answer: String, _ kind: RSSIError.Kind) throws {
    let broker = try ScriptedBroker([answer + "/X"])
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == kind)
  }

  @Test func `a link that loses the session gives up`() throws {
    let broker = try ScriptedBroker(["2003000000/9004ID0001E0028E00/X"])
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("client id") == true)
  }

  @Test func `reports a peer that is not a broker`() throws {
    let broker = try ScriptedBroker(["X", "X"])
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("mqtts://") == true)
  }

  /// Packets that no broker sends: the connection ends, and the capture goes on trying.
  @Test(arguments: ["3002FFFF", "30FFFFFFFF7F", "F0FFFFFFFFFF", "3005000A6162", "90"])
  func `nonsense ends the connection only`(_ nonsense: String) throws {
    let broker = try ScriptedBroker([
      "2003000000/9004ID0001\(nonsense)/X", "2003000000/9004ID0001/X",
    ])
    let sink = try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { $0.ticks == 20 }
    #expect(sink.reports.isEmpty)
  }
}
