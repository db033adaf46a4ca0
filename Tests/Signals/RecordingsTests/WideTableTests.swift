import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import Recordings

/// Tables with a column per beacon, receiver or distance, and tables in several files.
@Suite struct WideTableTests {
  /// A sighting by the names of its nodes.
  private struct Row: Hashable {
    var time: Int64
    var receiver, beacon: String
    var rssi: Float
  }

  private func read(
    _ text: String, _ map: String = "", levels: String? = nil, notHeard: [Double]? = nil
  ) throws -> Reading {
    var columns = try map.isEmpty ? ColumnMap() : ColumnMap(map)
    columns.levels = try levels.map { try LevelColumns($0) }
    columns.notHeard = notHeard
    return try Reading(text) { _ = try SightingCSV.read($0, columns, into: &$1) }
  }

  private func rows(_ reading: Reading) -> [Row] {
    zip(zip(reading.all(\.time), reading.all(\.rssi)), zip(reading.receivers, reading.beacons))
      .map { Row(time: $0.0, receiver: $1.0, beacon: $1.1, rssi: $0.1) }
  }

  @Test(arguments: ["b1,b2,b3", "b1-b3", "b*", "b[12],b3", "#2-#4", "#2,#3-#4"])
  func `columns are named by headers, patterns, ranges and numbers`(_ levels: String) throws {
    let reading = try read(
      "time_s,b1,b2,b3,note\n1,-60,,-80,x\n2,-61,-200,-81,y\n", levels: levels, notHeard: [-200])
    let second = Timestamp.second
    #expect(
      rows(reading) == [
        Row(time: second, receiver: "receiver", beacon: "b1", rssi: -60),
        Row(time: second, receiver: "receiver", beacon: "b3", rssi: -80),
        Row(time: 2 * second, receiver: "receiver", beacon: "b1", rssi: -61),
        Row(time: 2 * second, receiver: "receiver", beacon: "b3", rssi: -81),
      ])
    #expect(reading.refused == ["cell:not-heard": 2])
  }

  @Test func `columns of one beacon per row are receivers`() throws {
    let reading = try read("time_s,beacon,A,B\n1,tag,-60,-70\n", levels: "A,B")
    #expect(reading.receivers == ["A", "B"] && reading.beacons == ["tag", "tag"])
  }

  @Test(
    arguments: [
      ("t,a,b\n1,-60,100\n2,100,-70\n3,-61,100\n", [100]),
      ("t,a,b\n1,-60,-110\n2,-110,-70\n3,-61,-110\n", [-110]),
      ("t,a,b\n1,-60,0\n2,0,-70\n3,-61,0\n", [0]),
      // 5 dB below the next level, a weak beacon is not told from it.
      ("t,a,b\n1,-60,-75\n2,-75,-70\n3,-61,-75\n", []),
    ] as [(String, [Double])])
  func `columns and the mark of silence are recognised`(_ text: String, _ marks: [Double]) throws {
    var notes: [String] = []
    let reading = try Reading(text) {
      _ = try SightingCSV.read($0, ColumnMap(), note: { notes.append($0) }, into: &$1)
    }
    let marked = marks.map { mark in plain(mark) }.joined()
    #expect(reading.all(\.rssi).count == (marks.isEmpty ? 6 : 3))
    #expect(
      notes.contains { $0.hasSuffix("`levels` a,b `notHeard` \(marks.isEmpty ? "none" : marked)") },
      "\(notes)")
  }

  @Test(arguments: ["x,y\n-60,-70\n-61,-71\n", "lat,lon\n-33.1,-70.2\n-33.2,-70.3\n"])
  func `coordinates are not taken for levels`(_ text: String) {
    #expect(throws: RSSIError.self) { try read(text) }
  }

  @Test(arguments: ["b9", "b1-b9", "#9", "2:#1"])
  func `a column that does not exist is named`(_ levels: String) throws {
    let error = try #require(throws: RSSIError.self) {
      try read("time_s,b1,b2\n1,-60,-70\n", levels: levels)
    }
    #expect(error.kind == .badInput && "\(error)".contains("levels"))
  }

  @Test func `two columns of one name are refused`() throws {
    let error = try #require(throws: RSSIError.self) {
      try read("time_s,b,b\n1,-60,-70\n", levels: "b")
    }
    #expect(error.problem.contains("two columns"), "\(error)")
  }

  @Test(arguments: ["", ",", "#", "#0", "#3-#2", "3:#x", "#1-#2-#3"])
  func `a list of columns that cannot be read is refused`(_ text: String) {
    #expect(throws: RSSIError.self) { try LevelColumns(text) }
  }

  @Test func `a column per distance gives a stay per distance`() throws {
    let reading = try read("50cm,1m,2 m\n-50,-56,\n-51,-57,-63\n")
    #expect(reading.catalogue.stays.map(\.distance) == [0.5, 1, 2])
    #expect(reading.all(\.rssi) == [-50, -51, -56, -57, -63])
    #expect(reading.refused["time:row-order"] == 5)
  }

  @Test func `places of rows are truth, also where nothing is heard`() throws {
    let reading = try read(
      "time_s,x_m,y_m,b1,b2\n1,0,0,-60,\n2,0,0,-61,-70\n3,4,0,,\n4,4,3,-65,-66\n", levels: "b*")
    let truth = reading.catalogue.truth
    #expect(truth.map(\.time) == [1, 2, 3, 4].map { $0 * Timestamp.second })
    #expect(truth.map(\.x) == [0, 0, 4, 4] && truth.map(\.y) == [0, 0, 0, 3])
    #expect(truth.allSatisfy { $0.role == .receiver && $0.z.isNaN })
  }

  @Test func `a place without times is a stop of at least five seconds`() throws {
    let reading = try read("x,y,b1,b2\n0,0,-60,\n0,0,-61,-70\n4,0,-65,-66\n", levels: "b*")
    let truth = reading.catalogue.truth
    #expect(truth.map(\.x) == [0, 0, 4, 4])
    let stops = [(truth[0].time, truth[1].time), (truth[2].time, truth[3].time)]
    #expect(stops.allSatisfy { $0.1 - $0.0 >= 5 * Timestamp.second })
    #expect(stops[0].1 < stops[1].0)
    // Each level is within the stop of its place.
    for (time, rssi) in zip(reading.all(\.time), reading.all(\.rssi)) {
      let stop = stops[rssi > -62 || rssi == -70 ? 0 : 1]
      #expect((stop.0...stop.1).contains(time))
    }
  }

  @Test func `rows of several files stand side by side`() throws {
    let folder = try TemporaryDirectory()
    let levels = try folder.write("-60,100\n100,-70\n-62,-71\n", to: "rss.csv")
    let places = try folder.write("x;y\n1,5;2\n1,5;3\n4;3\n\n", to: "places.csv")
    let times = try folder.write("1000000000\n2000000000\n3000000000\n", to: "times.csv")
    let path = [levels, places, times].joined(separator: "+")
    let map = try ColumnMap("time_s=3:#1:ns,receiver='phone'")
    var builder = TraceBuilder(into: RowCollector())
    _ = try SightingCSV.read(path, map, into: &builder)
    let catalogue = try builder.complete()
    let blocks = builder.takeSink().blocks
    #expect(blocks.flatMap(\.rssi) == [-60, -70, -62, -71])
    #expect(blocks.flatMap(\.time) == [1, 2, 3, 3].map { $0 * Timestamp.second })
    #expect(catalogue.truth.map(\.x) == [1.5, 1.5, 4] && catalogue.traces == ["rss"])

    let short = try folder.write("1\n2\n", to: "short.csv")
    for (files, word) in [("\(levels)+\(short)", "fewer"), ("\(short)+\(levels)", "more")] {
      let error = try #require(throws: RSSIError.self) {
        var builder = TraceBuilder(into: RowCollector())
        let map = try ColumnMap(files.hasPrefix(short) ? "time_s=#1" : "time_s=2:#1")
        _ = try SightingCSV.read(files, map, into: &builder)
      }
      #expect(error.problem.contains(word), "\(error)")
    }
  }

  @Test func `an identity in three columns is that of an iBeacon`() throws {
    let reading = try read(
      "ts,uuid,major,minor,rssi\n1,e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,7,-60\n"
        + "2,E2C56DB5DFFB48D2B060D0F5A71096E0,1,7,-61\n3,x,1,7,-62\n")
    #expect(
      reading.catalogue.beacons.map(\.id) == ["ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:7"])
    #expect(reading.refused == ["bad-name": 1] && reading.all(\.rssi) == [-60, -61])
  }

  @Test(arguments: 0..<40)
  func `a table gives the same sightings wide and long`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let beacons = (0..<Int.random(in: 2...9, using: &random)).map { "beacon \($0)" }
    var (wide, long) = (
      "time_s,\(beacons.joined(separator: ","))\n", "time_s,receiver,beacon,rssi_dbm\n"
    )
    for time in 0..<Int.random(in: 1...400, using: &random) {
      var cells: [String] = []
      for beacon in beacons {
        guard Int.random(in: 0..<3, using: &random) > 0 else {
          cells.append(["", "-200"].randomElement(using: &random) ?? "")
          continue
        }
        let level = Int.random(in: -100 ... -30, using: &random)
        cells.append("\(level)")
        long += "\(time),receiver,\(beacon),\(level)\n"
      }
      wide += "\(time),\(cells.joined(separator: ","))\n"
    }
    // Where nothing is heard, there is no table to compare with.
    guard long.contains("-") else { return }
    let read = try read(wide, levels: "beacon*", notHeard: [-200])
    #expect(rows(read) == rows(try readTable(long)))
  }

  @Test(arguments: 0..<200)
  func `no list of columns and no table makes it crash`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = ["b1", "b2", "-", ",", "#", ":", "2", "*", "[", "\"", "\n", "-60", "100", ";", "x"]
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    var map = ColumnMap()
    map.levels = try? LevelColumns(text(6))
    let columns = map
    _ = try? Reading("b1,b2\n" + text(60)) {
      _ = try SightingCSV.read($0, columns, into: &$1)
    }
  }
}
