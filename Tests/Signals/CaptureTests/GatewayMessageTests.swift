import Support
import Testing

@testable import Capture

@Suite struct GatewayMessageTests {
  private func level(before name: StaticString, in topic: String) -> String? {
    let document = JSONDocument()
    _ = document.parse([0x30].span)
    let message = GatewayMessage(topic: Array(topic.utf8)[...], json: document.root, arrival: 0)
    return message.level(before: name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("home/kitchen/BTtoMQTT/AA", "kitchen"), ("kitchen/BTtoMQTT", "kitchen"),
    ("a/BTtoMQTT/b/BTtoMQTT/c", "b"), ("/BTtoMQTT", ""), ("a//BTtoMQTT//", ""),
    ("BTtoMQTT/a", nil), ("BTtoMQTT", nil), ("a/BTtoMQTTs/b", nil), ("", nil),
  ])
  func `finds the level before the last of a name`(topic: String, level: String?) {
    #expect(self.level(before: "BTtoMQTT", in: topic) == level)
  }

  /// The longest topic that MQTT has; looking again from its end for each level would take minutes.
  @Test func `looks at each level once`() {
    let start = "kitchen/BTtoMQTT"
    let topic = start + String(repeating: "/", count: 65_535 - start.utf8.count)
    #expect(level(before: "BTtoMQTT", in: topic) == "kitchen")
    #expect(level(before: "status", in: topic) == nil)
  }
}
