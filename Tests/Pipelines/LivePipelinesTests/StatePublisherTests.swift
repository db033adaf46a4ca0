import Support
import TestSupport
import Testing

@testable import LivePipelines

@Suite(
  "The state of topics at a broker",
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct StatePublisherTests {
  let folder: TemporaryDirectory
  let broker: Broker

  init() throws {
    folder = try TemporaryDirectory()
    broker = try Broker(in: folder)
  }

  @Test func `a broker keeps nothing of a topic that was emptied`() throws {
    let publisher = try StatePublisher(broker.url("rssi/emptied"), log: SilentLog())
    func has(_ topics: [String: String?]) throws -> Bool {
      try eventually {
        let kept = try broker.retained()
        return topics.allSatisfy { kept["rssi/emptied/" + $0.key] == $0.value }
      }
    }
    publisher.set("1", at: "rssi/emptied/a")
    publisher.set("2", at: "rssi/emptied/b")
    #expect(try has(["a": "1", "b": "2"]))
    publisher.set("", at: "rssi/emptied/a")
    #expect(try has(["a": nil, "b": "2"]))
    broker.stop()
    publisher.set("", at: "rssi/emptied/b")
    publisher.set("3", at: "rssi/emptied/c")
    publisher.set("", at: "rssi/emptied/c")
    publisher.set("4", at: "rssi/emptied/a")
    try broker.start()
    #expect(try has(["a": "4", "b": nil, "c": nil]))
    publisher.end()
  }
}
