import Advertising
import Support
import Testing

@testable import Capture

@Suite struct BrokerLinkTests {
  private func hexadecimal(_ text: String) -> String {
    Array(text.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A message of Ruuvi's as an MQTT 3.1.1 packet without acknowledgement.
  private var publication: String {
    let topic = GatewaySamples.ruuvi.topic
    let payload = #"{"gw_mac":"g","data":"020106","rssi":-60}"#
    let length = 2 + topic.utf8.count + payload.utf8.count
    #expect(length < 128)
    let lengths = [30, length, 0, topic.utf8.count].enumerated().map {
      $0.offset == 0 ? "30" : ($0.element < 16 ? "0" : "") + String($0.element, radix: 16)
    }
    return lengths.joined() + hexadecimal(topic) + hexadecimal(payload)
  }

  @Test func aBrokerOfMQTT311IsSpokenToInItsWords() throws {
    for first in ["20020001/X", "X"] {
      let broker = try ScriptedBroker([first, "20020000/9003ID01\(publication)"])
      let sink = try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { !$0.reports.isEmpty }
      #expect(sink.reports.map(\.report.rssi) == [-60])
      #expect(sink.notes.count == 1)
      #expect(sink.notes.first?.contains("3.1.1") == true)
    }
  }

  @Test func aTopicMayBeForbidden() throws {
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
  func aRefusalHasAKind(_ answer: String, _ kind: RSSIError.Kind) throws {
    let broker = try ScriptedBroker([answer + "/X"])
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == kind)
  }

  @Test func whoLosesTheSessionGivesUp() throws {
    let broker = try ScriptedBroker(["2003000000/9004ID0001E0028E00/X"])
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("client id") == true)
  }

  @Test func whatIsNoBrokerIsSaid() throws {
    let broker = try ScriptedBroker(["X", "X"])
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("mqtts://") == true)
  }

  /// Packets that no broker sends: the connection ends, and the capture goes on trying.
  @Test(arguments: ["3002FFFF", "30FFFFFFFF7F", "F0FFFFFFFFFF", "3005000A6162", "90"])
  func nonsenseEndsTheConnectionOnly(_ nonsense: String) throws {
    let broker = try ScriptedBroker([
      "2003000000/9004ID0001\(nonsense)/X", "2003000000/9004ID0001/X",
    ])
    let sink = try listen("mqtt://127.0.0.1:\(broker.port)/ruuvi/#") { $0.ticks == 20 }
    #expect(sink.reports.isEmpty)
  }
}
