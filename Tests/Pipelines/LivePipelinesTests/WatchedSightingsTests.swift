import Advertising
import Filtering
import PathLoss
import Proximity
import Registries
import Sightings
import Support
import TestSupport
import Testing

@testable import LivePipelines

/// Keeps the findings of a watch as text.
final class CollectedFindings: WatchOutput {
  private(set) var events: [String] = []
  private(set) var rangings: [(time: Int64, beacons: [String])] = []
  private(set) var trends: [Trend.Direction] = []
  private(set) var distances: [Double?] = []
  private(set) var isFinished = false
  var ticks: () -> Bool = { true }
  var pauses: () -> Bool = { false }
  var isPaused: Bool { pauses() }
  let wantsRangings = true

  func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    let name: String =
      switch event.kind {
      case .enter: "enter"
      case .exit(let reason): "exit \(reason)"
      case .regionEnter: "region-enter"
      case .regionExit: "region-exit"
      case .zone: "zone"
      case .rangeReached: "reached"
      case .rangeLeft: "left"
      case .levelChange: "level-change"
      }
    events.append(
      "\(event.time / Timestamp.second) \(name) \(region ?? "-") \(beacon.label) "
        + "\(beacon.receiver) \(beacon.trace)")
    distances.append(event.distance?.distance)
  }

  func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) {
    for ranging in rangings {
      self.rangings.append((time, ranging.beacons.map { beacon($0.link).id }))
    }
  }

  func take(_ seek: SeekReading, of beacon: WatchedBeacon) { trends.append(seek.direction) }
  func tick() -> Bool { ticks() }
  func finish() { isFinished = true }
}

/// Rows of a table for a watch: seconds, beacon, receiver, trace, level.
private struct Table {
  var catalogue = Catalogue()
  var rows: [Sighting] = []

  mutating func add(
    _ time: Double, _ beacon: String, at receiver: String = "r", in trace: String = "t",
    from sender: UInt64? = nil, _ level: Float
  ) {
    func index(_ id: String, _ names: inout [Node]) -> Int {
      if let known = names.firstIndex(where: { $0.id == id }) { return known }
      names.append(Node(id: id, kind: ""))
      return names.count - 1
    }
    if !catalogue.traces.contains(trace) { catalogue.traces.append(trace) }
    rows.append(
      Sighting(
        time: Int64(time * 1e9), beacon: UInt32(index(beacon, &catalogue.beacons)),
        receiver: UInt16(index(receiver, &catalogue.receivers)),
        trace: UInt16(catalogue.traces.firstIndex(of: trace) ?? 0), rssi: level))
    guard let sender else { return }
    let address = DeviceAddress(bits: sender, type: 1)
    if !catalogue.advertisers.contains(address) { catalogue.advertisers.append(address) }
    rows[rows.count - 1].advertiser = UInt32(catalogue.advertisers.firstIndex(of: address) ?? 0)
  }

  /// Hands the rows over in blocks.
  func feed(_ watched: WatchedSightings, blocks: Int) throws {
    for start in stride(from: 0, to: rows.count, by: blocks) {
      var block = SightingColumns(capacity: 0)
      block.append(contentsOf: Array(rows[start..<min(start + blocks, rows.count)]))
      try watched.append(block, payloads: NewPayloads(), catalogue: catalogue)
    }
  }
}

@Suite("Sightings on their way to events")
struct WatchedSightingsTests {
  private static let near = "addr:00:11:22:33:44:55"
  private static let far = "addr:00:11:22:33:44:56"
  private let findings = CollectedFindings()
  private let log = TestLog()

  private func pattern(_ text: String) throws -> BeaconPattern {
    try #require(BeaconPattern(text))
  }

  private func watched(_ change: (inout WatchRequest) throws -> Void = { _ in }) throws
    -> WatchedSightings
  {
    var request = WatchRequest()
    request.settings.exitAfter = .seconds(3)
    request.settings.staleAfter = .seconds(3)
    try change(&request)
    try request.check()
    return WatchedSightings(request, into: findings, log: log)
  }

  @Test(arguments: [1, 7, 1000])
  func `the division of rows into blocks changes nothing`(_ blocks: Int) throws {
    var table = Table()
    for second in 0..<30 {
      table.add(Double(second), Self.near, -50 - Float(second))
      if second < 10 { table.add(Double(second) + 0.5, Self.far, -80) }
    }
    func events(_ blocks: Int) throws -> [String] {
      let findings = CollectedFindings()
      var request = WatchRequest()
      request.settings.exitAfter = .seconds(3)
      request.filter = [try FilterSpecification("kalman")]
      let watched = WatchedSightings(request, into: findings, log: log)
      try table.feed(watched, blocks: blocks)
      try watched.finish()
      return findings.events + findings.rangings.map { "\($0)" }
    }
    #expect(try events(blocks) == events(13))
  }

  private static let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

  @Test(arguments: [1, 1000])
  func `a region of an address has what is sent from it, as long as it is`(_ blocks: Int) throws {
    let beacon = "ibeacon:\(Self.uuid):1:7"
    var table = Table()
    for second in 0..<20 {
      table.add(Double(second), beacon, from: second < 10 ? 1 : 2, -60)
      table.add(Double(second) + 0.2, "ibeacon:\(Self.uuid):1:8", from: 3, -60)
    }
    let watched = try watched {
      $0.regions = [Region(name: "door", patterns: [try pattern("00:00:00:00:00:01")])]
    }
    try table.feed(watched, blocks: blocks)
    try watched.finish()
    #expect(watched.taken == 10)
    #expect(findings.events.count { $0.contains("exit") } > 0 && log.notes == [])
    #expect(!findings.events.contains { $0.contains(":1:8") }, "\(findings.events)")
  }

  @Test func `a registry by address gives its name and its power`() throws {
    let beacon = "ibeacon:\(Self.uuid):1:7"
    var registered = RegisteredBeacon(.address(1))
    (registered.name, registered.measuredPower) = ("door", -60)
    var table = Table()
    for second in 0..<5 { table.add(Double(second), beacon, from: 1, -60) }
    let watched = try watched { $0.registry = Registry([registered]) }
    try table.feed(watched, blocks: 1)
    try watched.finish()
    #expect(!findings.events.isEmpty && findings.events.allSatisfy { $0.contains(" door ") })
  }

  @Test func `live, a shortened identity means the first beacon; of files it is refused`() throws {
    var table = Table()
    let other = "ibeacon:6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"
    for second in 0..<5 {
      table.add(Double(second), "ibeacon:\(Self.uuid):1:7", -60)
      if second > 2 { table.add(Double(second) + 0.5, other, -60) }
    }
    let change: (inout WatchRequest) throws -> Void = {
      $0.regions = [Region(name: "1:7", patterns: [try self.pattern("1:7")])]
    }
    let live = try watched(change)
    try table.feed(live, blocks: 1)
    try live.finish()
    #expect(live.taken == 5)
    #expect(log.notes.contains { $0.contains("1:7 also matches") && $0.contains(other) })
    var request = WatchRequest()
    try change(&request)
    let files = WatchedSightings(request, into: findings, log: log, refusesAmbiguity: true)
    #expect(throws: RSSIError.self) { try table.feed(files, blocks: 1000) }
  }

  @Test func `receivers and traces are watched by themselves`() throws {
    var table = Table()
    table.add(10, Self.near, at: "a", in: "one", -60)
    table.add(10, Self.near, at: "b", in: "one", -60)
    // A second trace is of another time; it does not affect the first one.
    table.add(90, Self.near, at: "a", in: "two", -60)
    let watched = try watched()
    try table.feed(watched, blocks: 100)
    try watched.finish()
    #expect(
      findings.events.filter { $0.contains("region-enter") } == [
        "10 region-enter all \(Self.near) a one", "10 region-enter all \(Self.near) b one",
        "90 region-enter all \(Self.near) a two",
      ])
    #expect(!findings.events.contains { $0.contains("unheard") })
    #expect(findings.isFinished)
  }

  @Test func `time goes on without sightings`() throws {
    var table = Table()
    table.add(10, Self.near, -60)
    let watched = try watched()
    try table.feed(watched, blocks: 1)
    try watched.advance(to: 12 * Timestamp.second)
    #expect(!findings.events.contains { $0.contains("exit") })
    try watched.advance(to: 14 * Timestamp.second)
    #expect(
      findings.events.suffix(2) == [
        "13 exit unheard all \(Self.near) r t", "13 region-exit all \(Self.near) r t",
      ])
  }

  @Test func `beacons of no region are only noted`() throws {
    var table = Table()
    table.add(10, Self.far, -60)
    let watched = try watched {
      $0.regions = [Region(name: "door", patterns: [try pattern(Self.near)])]
    }
    try table.feed(watched, blocks: 1)
    try watched.finish()
    #expect(findings.events.isEmpty)
    #expect(
      log.notes == [
        "warning: no beacon of the watched regions was heard; heard: \(Self.far) "
          + "(did you mean \"\(Self.far)\"?)"
      ])
  }

  @Test func `times that are not plausible are left out`() throws {
    var table = Table()
    table.add(10, Self.near, -60)
    table.add(-3e9, Self.near, -60)
    table.add(9e9, Self.near, -60)
    let watched = try watched()
    try table.feed(watched, blocks: 100)
    try watched.finish()
    #expect(watched.taken == 1 && watched.newest == 10 * Timestamp.second)
    #expect(
      log.notes == ["left out 2 sightings whose time is before 1900 or after 2100"])
  }

  @Test func `a search reports the trend once a period`() throws {
    var table = Table()
    for tenth in 0..<200 { table.add(10 + Double(tenth) / 10, Self.near, -90 + Float(tenth) / 5) }
    let watched = try watched {
      $0.regions = [Region(name: "x", patterns: [try pattern(Self.near)])]
      $0.seek = "x"
    }
    try table.feed(watched, blocks: 100)
    #expect(findings.trends.count == 19)
    #expect(findings.trends.suffix(10) == Array(repeating: .warmer, count: 10)[...])
  }

  /// P - 10 n log10(d) at the exponent of 2.2 that is taken without a calibration.
  @Test func `powers of the registry come before those of the beacon`() throws {
    var registered = RegisteredBeacon(try #require(BeaconPattern(Self.near)?.identity))
    registered.measuredPower = -60
    registered.name = "door"
    var table = Table()
    for beacon in [Self.near, Self.far, "no identity"] { table.add(10, beacon, -82) }
    table.catalogue.beacons[0].measuredPower = -70
    table.catalogue.beacons[1].measuredPower = -82
    let watched = try watched { $0.registry = Registry([registered]) }
    try table.feed(watched, blocks: 100)
    let distances = zip(findings.events, findings.distances).filter { $0.0.contains(" enter ") }
    #expect(distances[0].0.contains(" door ") && isClose(distances[0].1 ?? 0, 10, absolute: 1e-9))
    #expect(isClose(distances[1].1 ?? 0, 1, absolute: 1e-9))
    #expect(distances[2].1 == nil)
    #expect(log.notes.count { $0.hasPrefix("warning: without") } == 1)
  }

  private static let unusable: [@Sendable (inout WatchRequest) throws -> Void] = [
    { $0.settings.period = .nanoseconds(1) },
    { $0.settings.borders = ZoneBorders(immediate: 3, near: 1) },
    { $0.settings.borders = ZoneBorders(immediate: .nan, near: .nan) },
    { $0.settings.hysteresis = 31 },
    { $0.filter = [try FilterSpecification("rts")] },
  ]

  @Test(arguments: unusable.indices)
  func `refuses what cannot be met`(_ index: Int) throws {
    var request = WatchRequest()
    try Self.unusable[index](&request)
    let error = #expect(throws: RSSIError.self) { try request.check() }
    #expect(error?.kind == .usage)
  }
}
