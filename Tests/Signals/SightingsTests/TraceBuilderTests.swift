import Advertising
import Sightings
import Support
import TestSupport
import Testing

@Suite struct TraceBuilderTests {
  private func sighting(_ time: Int64) -> Sighting {
    Sighting(time: time, beacon: 0, receiver: 0, trace: 0, rssi: -60)
  }

  @Test func `hands on full blocks and the rest`() throws {
    var builder = TraceBuilder(into: BlockCollector(), blockRows: 4)
    for time in 0..<10 as Range<Int64> { try builder.append(sighting(time)) }
    #expect(builder.sink.blocks.map(\.count) == [4, 4])
    _ = try builder.complete()
    #expect(builder.sink.blocks.map(\.count) == [4, 4, 2])
    #expect(builder.sink.all(\.time) == Array(0..<10))
  }

  @Test func `names of both sides and of traces are apart`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    let name = Array("ibeacon:X:1:2".utf8)
    #expect(builder.beacon(name.span) == 0)
    let receiver = try builder.receiver(name.span)
    let trace = try builder.trace(named: "walk")
    #expect(receiver == 0)
    #expect(trace == 0)
    #expect(builder.beacon(Array("b".utf8).span) == 1)
    #expect(builder.beacon(name.span) == 0)
    let catalogue = try builder.complete()
    #expect(catalogue.beacons.map(\.id) == ["ibeacon:X:1:2", "b"])
    #expect(catalogue.beacons.map(\.kind) == ["ibeacon", "other"])
    #expect(catalogue.receivers.map(\.kind) == ["receiver"])
    #expect(catalogue.traces == ["walk"])
  }

  @Test func `a node is found by name beacons first`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    _ = try builder.add("both", role: .receiver)
    _ = try builder.add("both", role: .beacon)
    _ = try builder.add("phone", role: .receiver)
    #expect(builder.node("both").map { $0.role } == .beacon)
    #expect(builder.node("phone").map { [UInt32($0.role.rawValue), $0.index] } == [0, 1])
    #expect(builder.node("nobody") == nil)
    builder.update(.receiver, 1) { $0.x = 3 }
    #expect(builder.catalogue.receivers.map(\.x.isNaN) == [true, false])
  }

  @Test func `a known node is found by role and nothing is added`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    _ = try builder.add("tag", role: .beacon)
    _ = try builder.add("other", role: .receiver)
    _ = try builder.add("phone", role: .receiver)
    let (tag, phone) = (Array("tag".utf8), Array("phone".utf8))
    #expect(builder.knownBeacon(tag.span) == 0)
    #expect(builder.knownReceiver(phone.span) == 1)
    #expect(builder.knownBeacon(phone.span) == nil)
    #expect(builder.knownReceiver(tag.span) == nil)
    #expect(builder.catalogue.beacons.count == 1)
    #expect(builder.catalogue.receivers.count == 2)
  }

  @Test func `true levels are handed on in their order`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    // Equal rows too: unlike positions of a node at rest, none stands for others.
    let levels = [3, 1, 1, 1, 2].map {
      TruthLevel(time: $0, beacon: 0, receiver: 0, trace: 0, rssi: -60)
    }
    for level in levels { builder.append(level) }
    #expect(builder.currentCatalogue().levels == levels)
    #expect(try builder.complete().levels == levels)
  }

  @Test func `rejections are counted by reason in order`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    builder.reject("bad-time")
    builder.reject("bad-rssi", count: 4)
    builder.reject("bad-time", count: 2)
    let rejected = try builder.complete().rejected
    #expect(
      rejected == [
        Rejected(reason: "bad-rssi", count: 4), Rejected(reason: "bad-time", count: 3),
      ])
  }

  @Test func `a trace has numbers for 65535 receivers and traces`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    for number in 0..<65_535 {
      _ = try builder.add("r\(number)", role: .receiver)
      _ = try builder.trace(named: "t\(number)")
    }
    #expect(throws: RSSIError.tooManyReceivers) { _ = try builder.add("one more", role: .receiver) }
    #expect(throws: RSSIError.tooManyTraces) { _ = try builder.trace(named: "one more") }
    let last = try builder.add("r65534", role: .receiver)
    #expect(last == 65_534)
    #expect(builder.catalogue.receivers.count == 65_535)
    #expect(builder.catalogue.traces.count == 65_535)
  }
}
