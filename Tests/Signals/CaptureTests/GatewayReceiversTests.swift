import Sightings
import Support
import Testing

@testable import Capture

@Suite struct GatewayReceiversTests {
  private var sink = RecordingSink { _ in true }
  private var receivers = GatewayReceivers(place: "mqtt://broker/#")

  private func entry(
    _ rssiKind: Radio.RSSIKind = .raw, _ timeKind: Radio.TimeKind = .arrival, badClock: Bool = false
  ) -> GatewayBatch.Entry {
    GatewayBatch.Entry(
      gateway: 0..<0, rssiKind: rssiKind, timeKind: timeKind, time: 0,
      arrival: badClock ? 1_700_000_000 * Timestamp.second : nil, rssi: -60,
      beacon: .name("b", measuredPower: .nan))
  }

  private mutating func number(_ entry: GatewayBatch.Entry, _ name: String) throws -> UInt16? {
    let bytes = Array(name.utf8)
    let span = bytes.span
    var entry = entry
    let lateness = entry.arrival.map { GatewayClock.lateness(of: entry.time, arrival: $0) }
    return try receivers.number(of: &entry, span, lateness: lateness, &sink)
  }

  @Test mutating func `a receiver is described before its sightings and when it changes`() throws {
    #expect(try number(entry(), "a") == 0)
    #expect(try number(entry(.filtered), "b") == 1)
    #expect(sink.receivers[1]?.radio.rssiKind == .filtered)
    #expect(sink.receivers[0]?.radio.timeKind == .arrival)
    #expect(try number(entry(.raw, .gatewaySeconds), "a") == 0)
    #expect(sink.receivers[0]?.radio.timeKind == .gatewaySeconds)
    #expect(sink.receivers[0]?.name == "a")
    #expect(sink.receivers[0]?.radio.adapter == "mqtt://broker/#")
  }

  @Test mutating func `no smoothed level passes as raw`() throws {
    for (kind, known) in [
      (Radio.RSSIKind.raw, Radio.RSSIKind.raw), (.last, .last), (.raw, .last),
      (.filtered, .filtered), (.last, .filtered), (.raw, .filtered),
    ] {
      _ = try number(entry(kind), "a")
      #expect(sink.receivers[0]?.radio.rssiKind == known)
    }
  }

  @Test mutating func `reports a wrong clock once`() throws {
    for _ in 0..<3 { _ = try number(entry(badClock: true), "a") }
    _ = try number(entry(badClock: true), "b")
    #expect(sink.notes.count == 2)
    #expect(
      sink.notes[0]
        == "the clock of gateway a is wrong (54 years behind): times of arrival are used instead")
  }

  @Test mutating func `the gateway in another time zone is corrected`() throws {
    let arrival = 1_790_000_000 * Timestamp.second
    for (name, late) in [("right", 1), ("zone", 18_001), ("right", 1), ("zone", 0)]
      as [(String, Int64)]
    {
      var entry = entry(.raw, .gatewaySeconds)
      (entry.time, entry.arrival) = (arrival - late * Timestamp.second, arrival)
      let bytes = Array(name.utf8)
      _ = try receivers.number(
        of: &entry, bytes.span, lateness: late * Timestamp.second, &sink)
      #expect(entry.time == (late > 60 ? arrival : arrival - late * Timestamp.second))
      #expect(entry.timeKind == (late > 60 ? .arrival : .gatewaySeconds))
    }
    #expect(
      sink.notes == [
        "the clock of gateway zone is wrong (5 h behind, a time zone?): times of arrival are used instead",
        "the clock of gateway zone is right again: its own times are used",
      ])
  }

  /// A publisher that makes up names must not fill the screen.
  @Test mutating func `reports the number of many wrong clocks`() throws {
    for index in 0..<1000 { _ = try number(entry(badClock: true), "g\(index)") }
    #expect(sink.notes.count == 3)
    try receivers.noteBadClocks(to: &sink)
    try receivers.noteBadClocks(to: &sink)
    #expect(sink.notes.count == 4)
    #expect(sink.notes.last?.contains("997 more gateways") == true)
    _ = try number(entry(badClock: true), "g1")
    _ = try number(entry(badClock: true), "new")
    try receivers.noteBadClocks(to: &sink)
    #expect(sink.notes.last?.contains("1 more") == true)
    #expect(sink.receivers.count == 1001)
    #expect(sink.receivers.values.allSatisfy { $0.radio.timeKind == .arrival })
  }

  @Test mutating func `gateways beyond the numbers are refused`() throws {
    for index in 0..<GatewayReceivers.most { _ = try number(entry(), "g\(index)") }
    #expect(receivers.count == 65_535)
    #expect(try number(entry(), "one more") == nil)
    #expect(try number(entry(), "g65534") == 65_534)
    #expect(receivers.count == 65_535)
  }
}
