import Sightings
import Testing

@testable import Capture

struct MonitoredAdaptersTests {
  @Test func `describes an adapter once with what is known`() throws {
    var adapters = MonitoredAdapters()
    let identity = MonitorPacket.identity(address: "00:AA:55:5E:00:01", manufacturer: 1521)
    _ = adapters.note(identity, of: 3, time: 1)
    let description = adapters.takeDescription(of: 3)
    let (name, radio) = try #require(description)
    #expect(name == "hci3")
    #expect(radio.adapter == "hci3")
    #expect(radio.controller == "00:AA:55:5E:00:01, manufacturer 1521")
    #expect(radio.scan == "")
    #expect(radio.timeKind == .kernel)
    _ = adapters.note(identity, of: 3, time: 2)
    #expect(adapters.takeDescription(of: 3) == nil)
  }

  @Test func `describes it again with more details`() throws {
    var adapters = MonitoredAdapters()
    adapters.prefix = "office"
    #expect(adapters.takeDescription(of: 0)?.radio.controller == "")
    _ = adapters.note(.identity(address: "A", manufacturer: 1), of: 0, time: 1)
    let description = adapters.takeDescription(of: 0)
    let (name, radio) = try #require(description)
    #expect(name == "office/hci0")
    #expect(radio.controller == "A, manufacturer 1")
  }

  @Test func `reports how long a known adapter was off`() {
    var adapters = MonitoredAdapters()
    _ = adapters.takeDescription(of: 0)
    #expect(adapters.note(.off, of: 0, time: 10) == nil)
    #expect(adapters.note(.disappeared, of: 0, time: 11) == nil)
    #expect(adapters.note(.appeared, of: 0, time: 20) == nil)
    #expect(
      adapters.note(.on, of: 0, time: 21)
        == Loss(adapter: 0, reason: .unplugged, start: 10, end: 21))
    #expect(adapters.note(.on, of: 0, time: 30) == nil)
    #expect(adapters.takeOpenLosses(until: 40).isEmpty)
  }

  @Test func `closes what is open at the end and minds nothing else`() {
    var adapters = MonitoredAdapters()
    _ = adapters.takeDescription(of: 1)
    #expect(adapters.note(.off, of: 0, time: 5) == nil)
    #expect(adapters.note(.off, of: 1, time: 7) == nil)
    #expect(
      adapters.takeOpenLosses(until: 9) == [
        Loss(adapter: 1, reason: .unplugged, start: 7, end: 9)
      ])
    #expect(adapters.takeOpenLosses(until: 10).isEmpty)
  }
}
