import Advertising
import Sightings
import Support
import TestSupport
import Testing

@Suite struct IntakeTests {
  private func sighting(_ time: Int64) -> Sighting {
    Sighting(time: time, beacon: 0, receiver: 0, trace: 0, rssi: -60)
  }

  @Test func `hands on full blocks and the rest`() throws {
    var intake = Intake(into: BlockCollector(), blockRows: 4)
    for time in 0..<10 as Range<Int64> { try intake.append(sighting(time)) }
    #expect(intake.sink.blocks.map(\.count) == [4, 4])
    _ = try intake.complete()
    #expect(intake.sink.blocks.map(\.count) == [4, 4, 2])
    #expect(intake.sink.all(\.time) == Array(0..<10))
  }

  @Test func `names of both sides and of traces are apart`() throws {
    var intake = Intake(into: BlockCollector())
    let name = Array("ibeacon:X:1:2".utf8)
    #expect(intake.beacon(name.span) == 0)
    let receiver = try intake.receiver(name.span)
    let trace = try intake.trace(named: "walk")
    #expect(receiver == 0)
    #expect(trace == 0)
    #expect(intake.beacon(Array("b".utf8).span) == 1)
    #expect(intake.beacon(name.span) == 0)
    let catalogue = try intake.complete()
    #expect(catalogue.beacons.map(\.id) == ["ibeacon:X:1:2", "b"])
    #expect(catalogue.beacons.map(\.kind) == ["ibeacon", "other"])
    #expect(catalogue.receivers.map(\.kind) == ["receiver"])
    #expect(catalogue.traces == ["walk"])
  }

  @Test func `a node is found by name beacons first`() throws {
    var intake = Intake(into: BlockCollector())
    _ = try intake.add("both", role: .receiver)
    _ = try intake.add("both", role: .beacon)
    _ = try intake.add("phone", role: .receiver)
    #expect(intake.node("both").map { $0.role } == .beacon)
    #expect(intake.node("phone").map { [UInt32($0.role.rawValue), $0.index] } == [0, 1])
    #expect(intake.node("nobody") == nil)
    intake.update(.receiver, 1) { $0.x = 3 }
    #expect(intake.catalogue.receivers.map(\.x.isNaN) == [true, false])
  }

  @Test func `a known node is found by role and nothing is added`() throws {
    var intake = Intake(into: BlockCollector())
    _ = try intake.add("tag", role: .beacon)
    _ = try intake.add("other", role: .receiver)
    _ = try intake.add("phone", role: .receiver)
    let (tag, phone) = (Array("tag".utf8), Array("phone".utf8))
    #expect(intake.knownBeacon(tag.span) == 0)
    #expect(intake.knownReceiver(phone.span) == 1)
    #expect(intake.knownBeacon(phone.span) == nil)
    #expect(intake.knownReceiver(tag.span) == nil)
    #expect(intake.catalogue.beacons.count == 1)
    #expect(intake.catalogue.receivers.count == 2)
  }

  @Test func `true levels are handed on in their order`() throws {
    var intake = Intake(into: BlockCollector())
    // Equal rows too: unlike positions of a node at rest, none stands for others.
    let levels = [3, 1, 1, 1, 2].map {
      TruthLevel(time: $0, beacon: 0, receiver: 0, trace: 0, rssi: -60)
    }
    for level in levels { intake.append(level) }
    #expect(intake.currentCatalogue().levels == levels)
    #expect(try intake.complete().levels == levels)
  }

  @Test func `rejections are counted by reason in order`() throws {
    var intake = Intake(into: BlockCollector())
    intake.reject("bad-time")
    intake.reject("bad-rssi", count: 4)
    intake.reject("bad-time", count: 2)
    let rejected = try intake.complete().rejected
    #expect(
      rejected == [
        Rejected(reason: "bad-rssi", count: 4), Rejected(reason: "bad-time", count: 3),
      ])
  }

  @Test func `a trace has numbers for 65535 receivers and traces`() throws {
    var intake = Intake(into: BlockCollector())
    for number in 0..<65_535 {
      _ = try intake.add("r\(number)", role: .receiver)
      _ = try intake.trace(named: "t\(number)")
    }
    #expect(throws: RSSIError.tooManyReceivers) { _ = try intake.add("one more", role: .receiver) }
    #expect(throws: RSSIError.tooManyTraces) { _ = try intake.trace(named: "one more") }
    let last = try intake.add("r65534", role: .receiver)
    #expect(last == 65_534)
    #expect(intake.catalogue.receivers.count == 65_535)
    #expect(intake.catalogue.traces.count == 65_535)
  }
}
