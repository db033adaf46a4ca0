import Advertising
import PathLoss
import Registries
import Sightings
import Support
import Testing

@testable import TracePipelines

/// Sightings of beacons at the receivers `phone` and `gateway`, in the series `bench` and `other`.
struct HeardBench {
  var catalogue = Catalogue()
  var rows = SightingColumns(capacity: 64)

  init(_ beacons: [String] = ["tag"]) {
    catalogue.beacons = beacons.map { Node(id: $0, kind: "other") }
    catalogue.receivers = ["phone", "gateway"].map { Node(id: $0, kind: "hci") }
    catalogue.traces = ["bench", "other"]
  }

  /// Adds packets one second apart, of a new stay where there is a distance.
  mutating func hear(
    _ level: Float, times: Range<Int>, distance: Double? = nil, pose: String = "", beacon: Int = 0,
    receiver: Int = 0, trace: Int = 0
  ) {
    if let distance {
      var stay = DistanceStay(
        beacon: UInt32(beacon), receiver: UInt16(receiver), trace: UInt16(trace),
        start: Int64(times.lowerBound), end: Int64(times.upperBound - 1), distance: distance)
      stay.pose = pose
      catalogue.stays.append(stay)
    }
    for time in times {
      rows.time.append(Int64(time) * 1_000_000_000)
      rows.beacon.append(UInt32(beacon))
      rows.receiver.append(UInt16(receiver))
      rows.trace.append(UInt16(trace))
      rows.rssi.append(level)
      rows.channel.append(37)
      rows.stay.append(distance == nil ? .max : UInt32(catalogue.stays.count - 1))
    }
  }

  func table(receiver: String? = nil, series: Set<String> = []) -> PoseMeasurements {
    var table = PoseMeasurements(choices: [], receiver: receiver, series: series)
    table.add(rows, catalogue)
    return table
  }
}

@Suite struct PoseMeasurementsTests {
  @Test func `each stay is a pose, whose sightings may come in several blocks`() throws {
    var bench = HeardBench()
    bench.hear(-60, times: 0..<12, distance: 1, pose: "upright")
    bench.hear(-70, times: 20..<24, distance: 2)
    var table = bench.table()
    table.add(bench.rows, bench.catalogue)
    try table.endFile("bench.h5", distance: nil)
    #expect(table.poses.map(\.name) == ["upright", "bench"])
    #expect(table.poses.map(\.distance) == [1, 2])
    #expect(table.poses.map(\.levels.samples) == [24, 8])
    #expect(table.poses[0].start == 0 && table.poses[0].end == 11_000_000_000)
  }

  @Test func `a file without stays is a pose of each link, at the distance that is given`() throws {
    var bench = HeardBench(["tag", "other"])
    bench.hear(-60, times: 0..<12)
    bench.hear(-64, times: 0..<12, receiver: 1)
    bench.hear(-50, times: 0..<12, beacon: 1)
    var table = bench.table()
    #expect {
      var table = table
      try table.endFile("-", distance: nil)
    } throws: { "\($0)".contains("the standard input") && "\($0)".contains("`distance`") }
    try table.endFile("flat.csv", distance: 2, name: "flat")
    #expect(table.poses.count == 3)
    #expect(table.poses.allSatisfy { $0.distance == 2 && $0.name == "flat" })
    // The next file has poses of its own, though its indices are the same.
    table.add(bench.rows, bench.catalogue)
    try table.endFile("upright.csv", distance: 1, name: "upright")
    #expect(table.poses.count == 6)
  }

  @Test func `a file with stays has its own distances`() throws {
    var bench = HeardBench()
    bench.hear(-60, times: 0..<12, distance: 1)
    bench.hear(-75, times: 12..<20)
    var table = bench.table()
    #expect {
      var table = table
      try table.endFile("bench.h5", distance: 2)
    } throws: { "\($0)".hasPrefix("`distance`") }
    try table.endFile("bench.h5", distance: nil)
    #expect(table.excluded == ["no-distance": 8])
  }

  @Test func `other series, other receivers and readings without a level are counted by reason`() {
    var bench = HeardBench()
    bench.hear(-60, times: 0..<3, distance: 1)
    bench.hear(-60, times: 0..<4, distance: 1, receiver: 1)
    bench.hear(-60, times: 0..<5, distance: 1, trace: 1)
    bench.hear(.nan, times: 0..<6, distance: 1)
    let table = bench.table(receiver: "phone", series: ["bench"])
    #expect(
      table.excluded == [
        "other-receiver": 4, "other-series": 5, "no-rssi": 6,
      ])
    #expect(table.seenSeries == ["bench", "other"])
    #expect(table.heard == ["tag": 9])
  }

  @Test func `a pose that is discarded is forgotten, what was heard in it is not`() {
    var bench = HeardBench()
    bench.hear(-60, times: 0..<4, distance: 1, pose: "a")
    bench.hear(-61, times: 0..<12, distance: 1, pose: "b")
    bench.hear(-66, times: 0..<13, distance: 1, pose: "b", receiver: 1)
    var table = bench.table()
    table.discard(name: "a", distance: 1)
    #expect(table.levels(name: "a", distance: 1).isEmpty)
    // The receiver that heard most stands for a beacon.
    #expect(table.levels(name: "b", distance: 1)["tag"]?.samples == 13)
    #expect(table.heard == ["tag": 29])
  }

  @Test func `receivers share a pose where their times have half of the shorter in common`() {
    var bench = HeardBench()
    bench.hear(-60, times: 0..<20, distance: 1, pose: "a")
    bench.hear(-64, times: 10..<24, distance: 1, pose: "a", receiver: 1)
    bench.hear(-64, times: 100..<120, distance: 1, pose: "a", receiver: 1)
    bench.hear(-64, times: 0..<20, distance: 2, pose: "a", receiver: 1)
    let shared = SharedPose.all(of: bench.table().poses)
    #expect(shared.map(\.name) == ["a", "a (2)", "a"])
    #expect(shared.map(\.parts.count) == [2, 1, 1])
  }
}
