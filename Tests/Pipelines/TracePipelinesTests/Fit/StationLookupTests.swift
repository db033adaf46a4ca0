import Geometry
import PathLoss
import Sightings
import Sites
import Testing

@testable import TracePipelines

/// One receiver `phone` and the beacons `left` and `right`, heard in the trace `monday`.
@Suite struct StationLookupTests {
  private var catalogue = Catalogue()
  private var rows = SightingColumns(capacity: 8)

  init() {
    catalogue.beacons = [Node(id: "left", kind: "other"), Node(id: "right", kind: "other")]
    catalogue.receivers = [Node(id: "phone", kind: "hci")]
    catalogue.traces = ["monday"]
  }

  private mutating func addStay(_ distance: Double, _ span: ClosedRange<Int64>, beacon: UInt32 = 0)
  {
    catalogue.stays.append(
      DistanceStay(
        beacon: beacon, receiver: 0, trace: 0, start: span.lowerBound, end: span.upperBound,
        distance: distance))
  }

  /// A sighting of a stay, or of none.
  private mutating func hear(
    _ level: Float, at time: Int64, stay: Int? = nil, beacon: UInt32 = 0, channel: UInt8 = 255
  ) {
    rows.time.append(time)
    rows.beacon.append(beacon)
    rows.receiver.append(0)
    rows.trace.append(0)
    rows.rssi.append(level)
    rows.channel.append(channel)
    rows.stay.append(stay.map(UInt32.init) ?? .max)
  }

  /// The phone is at `x` at a time.
  private mutating func stand(_ x: Double, at time: Int64) {
    catalogue.truth.append(
      TruthPoint(time: time, role: .receiver, node: 0, trace: 0, x: x, y: 0, z: .nan))
  }

  private func tally(
    _ selection: ReadingSelection = ReadingSelection(), site: FitSite? = nil
  ) throws -> StationTally {
    var tally = StationTally()
    var lookup = try StationLookup(catalogue, selection, site: site)
    try lookup.count(rows, catalogue, into: &tally)
    try lookup.finish(catalogue, &tally)
    return tally
  }

  @Test
  func `each stay is a position, however often it is heard, with its span and channels`() throws {
    var bench = self
    bench.addStay(2, 10...20)
    bench.addStay(2, 30...40)
    bench.catalogue.stays[1].pose = "north"
    bench.hear(-60, at: 10, stay: 0, channel: 37)
    bench.hear(-60, at: 15, stay: 0, channel: 38)
    bench.hear(-62, at: 20, stay: 0, channel: 37)
    bench.hear(-61, at: 30, stay: 1, channel: 37)
    let stations = try bench.tally().heardStations().sorted { $0.samples > $1.samples }
    #expect(stations.map(\.distance) == [2, 2])
    #expect(stations.map(\.samples) == [3, 1])
    #expect(stations.map(\.span) == [10...20, 30...40])
    #expect(stations.map(\.pose) == ["", "north"] && stations.allSatisfy { $0.cell == nil })
    #expect(Set(stations.map(\.position)).count == 2)
    #expect(Set(stations[0].levels.map(\.channel)) == [37, 38])
    #expect(stations[0].series == "monday" && stations[0].receiver == "phone")
  }

  @Test func `slots of single rows are those that whole blocks are counted in`() throws {
    var bench = self
    bench.addStay(1, 0...9)
    bench.addStay(4, 0...9, beacon: 1)
    for time in 0..<10 {
      bench.hear(-50.5 - Float(time), at: Int64(time), stay: time % 2, beacon: UInt32(time % 2))
    }
    var tally = StationTally()
    var lookup = try StationLookup(bench.catalogue, ReadingSelection(), site: nil)
    let slots = try lookup.slots(bench.rows, bench.catalogue, of: &tally)
    tally.add(levels: bench.rows.rssi.span, variances: bench.rows.variance.span, slots: slots.span)
    try lookup.finish(bench.catalogue, &tally)
    #expect(try tally.heardStations() == bench.tally().heardStations())
    #expect(Set(slots).count == 2)
  }

  @Test func `readings of other series are not taken`() throws {
    var bench = self
    for distance in [0, 0.001, 0.5, 2] { bench.addStay(distance, 0...9) }
    for stay in 0..<4 { bench.hear(-60, at: 1, stay: stay) }
    let near = try bench.tally(ReadingSelection(series: ["monday"], minDistance: 1))
    #expect(near.heardStations().map(\.distance) == [2])
    #expect(near.excluded(.zeroDistance) == 1)
    #expect(near.excluded(.tooNear) == 1)
    #expect(near.excluded(.belowMinimumDistance) == 1)
    #expect(try bench.tally(ReadingSelection(series: ["tuesday"])).heardStations().isEmpty)
  }

  @Test func `scans are counted over a visit, and places without a beacon are stations`() throws {
    var site = self
    for (index, x) in [0.0, 10].enumerated() {
      (site.catalogue.beacons[index].x, site.catalogue.beacons[index].y) = (x, 0)
    }
    // Ten scans at 2 m, of which one receives nothing, a pause of 60 s and five more; six at 7 m.
    let times = [0, 1, 2, 3, 5, 6, 7, 8, 9, 69, 70, 71, 72, 73]
    for time in [0, 73] as [Int64] { site.stand(2, at: time * 1_000_000_000) }
    for time in [100, 105] as [Int64] { site.stand(7, at: time * 1_000_000_000) }
    for time in times {
      site.hear(-60, at: Int64(time) * 1_000_000_000)
      site.hear(-70, at: Int64(time) * 1_000_000_000, beacon: 1)
    }
    for time in 100...105 { site.hear(-65, at: Int64(time) * 1_000_000_000, beacon: 1) }
    let heard = try site.tally().heardStations()
    let near = try #require(heard.first { $0.distance == 2 })
    #expect(near.visit == Visit(seconds: 13, stretches: 2, scanPeriod: 1))
    #expect(heard.first { $0.distance == 8 }?.visit == near.visit)
    #expect(heard.count == 3)
    let all = try site.tally(ReadingSelection(addsSilent: true)).heardStations(andSilent: true)
    let silent = all.filter(\.levels.isEmpty)
    #expect(silent.map(\.beacon) == ["left"] && silent.map(\.distance) == [7])
    #expect(silent.map(\.visit) == [Visit(seconds: 5, stretches: 1, scanPeriod: 1)])
    #expect(
      silent.map(\.position)
        == [PositionNumber(beacon: "left", receiver: "phone", at: Point(x: 7, y: 0), z: nil).value])
  }

  @Test func `packets at their own instants are not scans`() throws {
    var site = self
    (site.catalogue.beacons[0].x, site.catalogue.beacons[0].y) = (0, 0)
    for time in [0, 9] as [Int64] { site.stand(2, at: time * 1_000_000_000) }
    for time in 0...9 { site.hear(-60, at: Int64(time) * 1_000_000_000) }
    let visit = try #require(try site.tally().heardStations().first?.visit)
    #expect(visit == Visit(seconds: 9, stretches: 1))
  }

  @Test func `a place where a node stands again is one position`() throws {
    var site = self
    site.catalogue.beacons[0].x = 0
    site.catalogue.beacons[0].y = 0
    // It stands at 2 m, walks to 6 m and back, and stands at 2 m again.
    for (x, time) in [(2.0, 0), (2, 10), (6, 20), (2, 30), (2, 40)] as [(Double, Int64)] {
      site.stand(x, at: time * 1_000_000_000)
    }
    for time in [5, 15, 25, 35] as [Int64] { site.hear(-60, at: time * 1_000_000_000) }
    let stations = try site.tally().heardStations()
    let standing = try #require(stations.first { $0.walk == nil })
    #expect(standing.distance == 2 && standing.samples == 2)
    #expect(
      standing.position
        == PositionNumber(beacon: "left", receiver: "phone", at: Point(x: 2, y: 0), z: nil).value)
    let walking = stations.filter { $0.walk != nil }
    #expect(walking.map(\.distance) == [4] && walking.map(\.samples) == [2])
    #expect(walking.map(\.position) != [standing.position])
    #expect(standing.cell == [2, 0, 0] && walking.map(\.cell) == [[4, 0, 0]])
  }

  @Test func `sightings without a place or of no anchor have no distance`() throws {
    var site = self
    site.catalogue.beacons[0].x = 0
    site.catalogue.beacons[0].y = 0
    site.stand(2, at: 0)
    site.stand(2, at: 10)
    site.hear(-60, at: 11)
    site.hear(-60, at: 5, beacon: 1)
    let tally = try site.tally()
    #expect(tally.heardStations().isEmpty)
    #expect(tally.excluded(.noDistance) == 2)
  }

  @Test func `a site gives the places of anchors that the file lacks, and walls`() throws {
    var file = self
    file.stand(4, at: 0)
    file.stand(4, at: 10)
    file.hear(-60, at: 5, beacon: 1)
    var site = Site()
    site.anchors = [Site.Anchor(node: "right", role: .beacon, place: Point(x: 1, y: 0))]
    site.walls = [Site.Wall([Point(x: 2, y: -1), Point(x: 2, y: 1)], kind: "brick")]
    let station = try #require(try file.tally(site: FitSite(site)).heardStations().first)
    #expect(station.distance == 3)
    #expect(station.walls == ["brick": 1])
  }
}
