import Foundation
import PathLoss
import TestSupport
import Testing

struct StationTallyTests {
  private struct Row {
    var level: Float
    var key: Int
    var channel: UInt8
  }

  private func station(_ key: Int) -> Station {
    Station(
      beacon: "b\(key % 3)", receiver: "r", series: "s", position: UInt64(key),
      distance: Double(key + 1))
  }

  /// Levels of which some are whole, some are not, some are missing or positive.
  private func rows(_ count: Int, odd: Double, _ generator: inout SeededGenerator) -> [Row] {
    (0..<count).map { _ in
      var level = -Float(Int.random(in: 1...127, using: &generator))
      if Double.random(in: 0..<1, using: &generator) < odd {
        level = [.nan, 1, 4, -50.25, -200, -127.5, -0.25, -128].randomElement(using: &generator)!
      }
      return Row(
        level: level, key: Int.random(in: 0..<5, using: &generator),
        channel: [37, 38, 39, 255, 12].randomElement(using: &generator)!)
    }
  }

  private func slots(_ rows: [Row], _ tally: inout StationTally) -> [Int32] {
    rows.map { row in
      tally.slot(
        station: tally.number(of: station(row.key)), channel: row.channel, isStay: row.key != 4)
    }
  }

  /// The same by a dictionary.
  private func expected(_ rows: [Row]) -> [UInt64: [String: Int]] {
    var counts: [UInt64: [String: Int]] = [:]
    for row in rows where !row.level.isNaN {
      let channel = (37...39).contains(row.channel) ? row.channel : 255
      counts[UInt64(row.key), default: [:]]["\(Double(row.level)) \(channel)", default: 0] += 1
    }
    return counts
  }

  private func counts(_ stations: [Station]) -> [UInt64: [String: Int]] {
    stations.reduce(into: [:]) { counts, station in
      for one in station.levels {
        counts[station.position, default: [:]]["\(one.level) \(one.channel)"] = one.count
      }
    }
  }

  @Test(arguments: 1...40)
  func `counts what a dictionary counts, however blocks are cut`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rows = rows(
      Int.random(in: 0...3000, using: &generator), odd: seed % 2 == 0 ? 0.1 : 0, &generator)
    var tally = StationTally()
    let slots = slots(rows, &tally)
    let keys = slots.map { UInt32($0) }
    // Slots of stations with few readings lie far beyond.
    let identity = (0..<Int32(64)).map { $0 }
    var first = 0
    while first < rows.count {
      let last = min(rows.count, first + Int.random(in: 1...700, using: &generator))
      let levels = rows[first..<last].map(\.level)
      let places = Array(slots[first..<last])
      let slice = Array(keys[first..<last])
      if !tally.addStays(levels: levels.span, keys: slice.span, slots: identity.span) {
        let none: [Float] = []
        tally.add(levels: levels.span, variances: none.span, slots: places.span)
      }
      first = last
    }
    let stations = tally.heardStations()
    #expect(counts(stations) == expected(rows))
    #expect(tally.excluded(.noLevel) == rows.count { $0.level.isNaN })
  }

  @Test func `sums over successive readings are those of the order in which they came`() throws {
    var generator = SeededGenerator(seed: 9)
    let rows = rows(2000, odd: 0, &generator).map {
      Row(level: $0.level, key: $0.key % 4, channel: 255)
    }
    var tally = StationTally()
    let slots = slots(rows, &tally)
    let levels = rows.map(\.level)
    let none: [Float] = []
    tally.add(levels: levels.span, variances: none.span, slots: slots.span)
    for station in tally.heardStations() {
      let own = rows.filter { UInt64($0.key) == station.position }.map { Double($0.level) }
      #expect(station.succession.pairs == own.count - 1)
      #expect(station.succession.earlier == own.dropLast().reduce(0, +))
      #expect(station.succession.later == own.dropFirst().reduce(0, +))
      #expect(
        station.succession.products == zip(own, own.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 })
      let differences = zip(own, own.dropFirst()).map { $1 - $0 }
      #expect(station.succession.squaredDifferences == differences.reduce(0) { $0 + $1 * $1 })
    }
  }

  @Test func `on a walk the readings of a link follow each other from station to station`() {
    var tally = StationTally()
    let levels: [Float] = [-60, -64.5, -61, -70, -62]
    let slots = (0..<5).map { number in
      var one = station(0)
      (one.distance, one.walk) = (Double(number % 3 + 1), .exact)
      // The fourth is of another link.
      if number == 3 { one.position = 1 }
      return tally.slot(station: tally.number(of: one), channel: 255, isStay: false)
    }
    let none: [Float] = []
    tally.add(levels: levels.span, variances: none.span, slots: slots.span)
    let sums = tally.heardStations().map(\.succession)
    #expect(sums.reduce(0) { $0 + $1.pairs } == 3)
    let squares = sums.compactMap(\.squaredDifferences).reduce(0, +)
    // 4.5² + 3.5² + 1²
    #expect(squares == 33.5)
    #expect(Succession.deviation(of: tally.heardStations()) == nil)
  }

  @Test
  func `half the mean squared difference is the packets' own error, without what drifts`() throws {
    var generator = SeededGenerator(seed: 10)
    let levels = (0..<20_000).map { (number: Int) -> Float in
      let drift = 6 * sin(Double(number) / 500)
      let level = -70 + drift + 3 * generator.gaussian()
      return Float(level.rounded())
    }
    var tally = StationTally()
    let slot = tally.slot(station: tally.number(of: station(0)), channel: 255, isStay: true)
    let none: [Float] = []
    let slots = [Int32](repeating: slot, count: levels.count)
    tally.add(levels: levels.span, variances: none.span, slots: slots.span)
    // Rounding to 1 dB adds a twelfth.
    let expected = (9 + 1.0 / 12).squareRoot()
    let found = try #require(Succession.deviation(of: tally.heardStations()))
    #expect(abs(found / expected - 1) < 0.025)
  }

  @Test func `weights are the inverse of variances; readings without one are left out`() {
    var tally = StationTally(isWeighted: true)
    let slot = tally.slot(station: tally.number(of: station(0)), channel: 255, isStay: true)
    let levels: [Float] = [-60, -60, -61, -61, -62]
    let variances: [Float] = [4, 2, 1, .nan, 0]
    let slots = [Int32](repeating: slot, count: 5)
    let keys: [UInt32] = [0, 0, 0, 0, 0]
    let known = [slot]
    let isCounted = tally.addStays(levels: levels.span, keys: keys.span, slots: known.span)
    #expect(!isCounted)
    tally.add(levels: levels.span, variances: variances.span, slots: slots.span)
    let stations = tally.heardStations()
    #expect(stations[0].levels.map(\.weight) == [1, 0.75])
    #expect(stations[0].levels.map(\.count) == [1, 2])
    #expect(tally.excluded(.noVariance) == 2)
  }

  @Test func `levels with fractions are exact until there are very many, then rounded in all`() {
    func tally(_ levels: [Float]) -> [LevelCount] {
      var tally = StationTally(exactOccurrences: 10)
      let slot = tally.slot(station: tally.number(of: station(0)), channel: 255, isStay: true)
      let slots = [Int32](repeating: slot, count: levels.count)
      let none: [Float] = []
      tally.add(levels: levels.span, variances: none.span, slots: slots.span)
      return tally.heardStations()[0].levels
    }
    let few: [Float] = (0..<10).map { -60 - Float($0) / 333 }
    #expect(tally(few).map { Float($0.level) } == few.sorted())
    let many: [Float] = (0..<50).map { -60 - Float($0) / 3333 }
    #expect(tally(many).map(\.level) == [-60.01, -60].map { Double(Float($0)) })
    #expect(tally(many).reduce(0) { $0 + $1.count } == 50)
  }

  @Test(arguments: 1...20)
  func `parts add up to the whole, in any order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let all = rows(500, odd: 0.1, &generator)
    func gather(_ rows: [Row]) -> [Station] {
      var tally = StationTally()
      let slots = slots(rows, &tally)
      let levels = rows.map(\.level)
      let none: [Float] = []
      tally.add(levels: levels.span, variances: none.span, slots: slots.span)
      return tally.heardStations()
    }
    let parts = (0..<3).map { part in all.indices.filter { $0 % 3 == part }.map { all[$0] } }
    let whole = gather(all)
    let together = merged(parts.map(gather))
    #expect(together == merged(parts.reversed().map(gather)))
    #expect(counts(together) == counts(whole))
    let one = PathLossFit().group(key: "k", whole)
    let other = PathLossFit().group(key: "k", together)
    #expect(one.exponent == other.exponent && one.exponentInterval == other.exponentInterval)
    #expect(one.sigma == other.sigma && one.powerError == other.powerError)
  }

  @Test func `distances of walks are rounded in all parts once there are very many`() {
    func walk(_ range: Range<Int>) -> [Station] {
      range.map {
        Station(
          beacon: "b", receiver: "r", series: "s", position: 1, distance: 1 + Double($0) * 1e-4,
          walk: .exact, levels: [LevelCount(level: -60, count: 1)])
      }
    }
    let few = merged([walk(0..<5000), walk(5000..<10_000)])
    #expect(few.count == 10_000 && few.allSatisfy { $0.walk == .exact })
    let many = merged([merged([walk(0..<20_000), walk(20_000..<25_000)]), walk(25_000..<26_000)])
    #expect(many == merged([walk(0..<26_000)]))
    #expect(many.count < 600 && many.allSatisfy { $0.walk == .rounded })
    #expect(many.reduce(0) { $0 + $1.samples } == 26_000)
  }

  @Test(arguments: 1...20)
  func `a station is the same after writing and reading`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var tally = StationTally()
    let all = rows(200, odd: 0.1, &generator)
    let slots = slots(all, &tally)
    let levels = all.map(\.level)
    let none: [Float] = []
    tally.add(levels: levels.span, variances: none.span, slots: slots.span)
    var stations = tally.heardStations()
    stations[0].walls = ["brick": 2, "glass": 0]
    stations[0].knownLoss = 2.5
    stations[0].walk = .exact
    stations[0].span = -5...1_700_000_000_000_000_001
    let data = try JSONEncoder().encode(stations)
    #expect(try JSONDecoder().decode([Station].self, from: data) == stations)
  }

  @Test(arguments: [
    #""distance_m": 0"#, #""distance_m": -1"#, #""counts": [0]"#, #""counts": [1, 2]"#,
    #""counts": [9007199254740993]"#, #""levels_dbm": [21]"#, #""position": "no""#,
    #""channels": [37, 38]"#, #""weights": [0]"#, #""span_ns": [5, 4]"#, #""succession": [1]"#,
  ])
  func `damaged stations are refused`(change: String) throws {
    let whole =
      #"{"beacon":"b","receiver":"r","series":"s","position":"ff","distance_m":2,"levels_dbm":[-60],"counts":[3]}"#
    #expect(throws: Never.self) { try JSONDecoder().decode(Station.self, from: Data(whole.utf8)) }
    let key = change.prefix { $0 != ":" }
    var object = try #require(
      try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
    let new = try #require(
      try JSONSerialization.jsonObject(with: Data("{\(change)}".utf8)) as? [String: Any])
    let name = key.trimmingCharacters(in: ["\""])
    object[name] = new[name]
    let data = try JSONSerialization.data(withJSONObject: object)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Station.self, from: data) }
  }
}
