import Advertising
import Filtering
import Proximity
import Registries
import Sightings
import Support
import TestSupport
import Testing

@testable import LivePipelines

@Suite("A watch that forgets beacons that left") struct ForgettingWatchTests {
  private static let stranger = "addr:40:00:00:00:"

  /// Sightings of phones that come once, and of beacons that stay, in order of time.
  private func crowd(_ seed: UInt64) -> [(
    time: Int64, beacon: String, address: UInt64, level: Float
  )] {
    var generator = SeededGenerator(seed: seed)
    var time: Int64 = 1_700_000_000 * Timestamp.second
    return (0..<4000).map { step in
      time += Int64.random(in: 0...Timestamp.second / 20, using: &generator)
      let level = Float(Int.random(in: -90 ... -40, using: &generator))
      let isResident = Int.random(in: 0..<4, using: &generator) == 0
      let number = isResident ? Int.random(in: 0..<5, using: &generator) : 1000 + step / 4
      let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"
      return (
        time, isResident ? "ibeacon:\(uuid):1:\(number)" : "addr:40:00:00:00:\(hex(number))",
        UInt64(isResident ? step / 200 : number), level
      )
    }
  }

  private func hex(_ number: Int) -> String {
    let digits = String(number + 0x10000, radix: 16, uppercase: true).suffix(4)
    return "\(digits.prefix(2)):\(digits.suffix(2))"
  }

  /// Returns the findings of a watch, and its maximum number of links.
  private func findings(
    _ seed: UInt64, keeping kept: Int?, _ change: (inout WatchRequest) throws -> Void
  ) throws -> (findings: CollectedFindings, beacons: Int) {
    let findings = CollectedFindings()
    var request = WatchRequest()
    request.settings.exitAfter = .seconds(3)
    request.settings.staleAfter = .seconds(2)
    request.filter = [try FilterSpecification("kalman")]
    try change(&request)
    var builder = TraceBuilder(
      into: WatchedSightings(request, into: findings, log: SilentLog()), blockRows: 1, keeping: kept
    )
    _ = try builder.trace(named: "live")
    var most = 0
    for one in crowd(seed) {
      let name = Array(one.beacon.utf8)
      var sighting = Sighting(
        time: one.time, beacon: builder.beacon(name.span),
        receiver: try builder.receiver(adapter: UInt16(one.address % 2)), trace: 0, rssi: one.level)
      sighting.advertiser = builder.number(of: DeviceAddress(bits: one.address, type: 1))
      try builder.append(sighting)
      builder.forgetThoseThatLeft()
      most = max(most, builder.catalogue.beacons.count)
    }
    try builder.flush()
    try builder.sink.finish()
    return (findings, most)
  }

  private func compare(
    _ seed: UInt64, _ change: (inout WatchRequest) throws -> Void = { _ in }
  ) throws -> CollectedFindings {
    let all = try findings(seed, keeping: nil, change)
    let forgetting = try findings(seed, keeping: 16, change)
    #expect(forgetting.beacons < all.beacons / 4)
    #expect(forgetting.findings.events == all.findings.events)
    #expect(forgetting.findings.trends == all.findings.trends)
    #expect(
      forgetting.findings.rangings.map { "\($0)" } == all.findings.rangings.map { "\($0)" })
    return all.findings
  }

  @Test(arguments: 1...4)
  func `it finds what a watch finds that forgets nothing`(_ seed: UInt64) throws {
    #expect(try compare(seed).events.count > 1500)
  }

  @Test func `regions of identities and of addresses have their beacons`() throws {
    let texts = [
      "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365", "00:00:00:00:00:07", "40:00:00:00:03:E9", "1:3",
    ]
    let events = try compare(6) {
      $0.regions = try texts.map { Region(name: $0, patterns: [try #require(BeaconPattern($0))]) }
    }.events
    for text in texts { #expect(events.contains { $0.contains("enter \(text) ") }, "\(text)") }
  }

  @Test func `a search goes on`() throws {
    let beacon = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:2"
    let trends = try compare(7) {
      $0.seek = beacon
      $0.regions = [Region(name: beacon, patterns: [try #require(BeaconPattern(beacon))])]
    }.trends
    #expect(trends.count > 50)
  }

  @Test func `names of a registry stay, of identities and of addresses`() throws {
    let events = try compare(8) {
      var door = RegisteredBeacon(
        try #require(BeaconPattern("ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:1")?.identity))
      var desk = RegisteredBeacon(.address(3))
      (door.name, desk.name) = ("door", "desk")
      $0.registry = Registry([door, desk])
    }.events
    #expect(events.contains { $0.contains(" door ") })
  }
}
