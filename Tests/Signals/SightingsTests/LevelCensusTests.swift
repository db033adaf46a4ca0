import Sightings
import Support
import TestSupport
import Testing

@Suite("One rule for what is a level")
struct LevelCensusTests {
  /// The numbers of links, one after the other.
  private func block(_ links: [[Float]]) -> SightingColumns {
    var rows: [Sighting] = []
    for (link, numbers) in links.enumerated() {
      for number in numbers {
        rows.append(
          Sighting(
            time: Int64(rows.count), beacon: UInt32(link % 7), receiver: UInt16(link / 7), trace: 0,
            rssi: number))
      }
    }
    var block = SightingColumns(capacity: rows.count)
    block.append(contentsOf: rows)
    return block
  }

  private func census(_ links: [[Float]]) -> LevelCensus {
    var (census, block) = (LevelCensus(), block(links))
    census.admit(&block)
    return census
  }

  @Test(
    arguments: [
      (0, nil), (-0.0, nil), (0.25, 0.25), (-0.25, -0.25), (1, 1), (20, 20), (20.5, nil),
      (-127, -127), (-127.5, nil), (127, nil), (.nan, nil), (.infinity, nil), (-1e30, nil),
    ] as [(Float, Float?)])
  func `0 and what is outside -127 to 20 dBm is no level`(number: Float, expected: Float?) {
    #expect(level(number).isNaN ? expected == nil : level(number) == expected)
    var (census, block) = (LevelCensus(), block([[number]]))
    census.admit(&block)
    #expect(block.rssi[0].isNaN ? expected == nil : block.rssi[0] == expected)
  }

  @Test func `counts why sightings have no level, and keeps the rows`() throws {
    var (census, block) = (LevelCensus(), block([[0, -60, 0, 127, .nan, 3, -130, 100]]))
    census.admit(&block)
    #expect(block.count == 8)
    #expect(census.missing.zeros == 2)
    #expect(census.missing.outside == 3)
    let notes = try census.notes(of: "x.csv")
    #expect(notes.map { $0.contains("rssi-zero") } == [true, false])
    #expect(notes.map { $0.contains("rssi-out-of-range") } == [false, true])
  }

  @Test(
    arguments: [
      ([[60, 61, 72, 55]], "all 4 levels are above 0 dBm"), ([[5, 7, 19]], "all 3 levels"),
      ([[60]], "all 1 levels"), ([[-60, 55, 58, -61, 60]], "3 of 5 levels"),
      // One of two links.
      ([Array(repeating: -60, count: 20), [61, 62, 63]], "over half of those of a link"),
      // Signed bytes that were read as unsigned.
      ([[196, 195, 190, 201]], "subtract 256"),
      // Beside what stands for "not heard".
      ([[60, 61, 100, 100, 100, 62]], "all 3 levels"), ([[0, 0, 0, 61, 62, 64]], "all 3 levels"),
    ] as [([[Float]], String)])
  func `forgotten signs are refused`(links: [[Float]], words: String) {
    let census = census(links)
    let error = #expect(throws: RSSIError.self) { try census.notes(of: "x.csv") }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("x.csv: ") == true)
  }

  @Test(
    arguments: [
      [[-60, 3, -61, 5]], [[-60, 20]], [[0, 0, 0]], [[.nan]], [],
      // Most places of a fingerprint table do not hear a beacon.
      [[100, 100, 100, -80, 100], [100, 100, 100]], [[127, 127, -70]], [[200, 200, -70]],
    ] as [[[Float]]])
  func `levels above 0 dBm up to half, and sentinels, are fine`(links: [[Float]]) throws {
    _ = try census(links).notes(of: "x.csv")
  }

  @Test(arguments: 1...20)
  func `negative levels with a few above 0 are never refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let links = (0..<Int.random(in: 1...9, using: &generator)).map { _ -> [Float] in
      let count = Int.random(in: 2...3000, using: &generator)
      let few = Int.random(in: 0...count / 2, using: &generator)
      return (0..<count).map { index in
        Float(Int.random(in: index < few ? 1...20 : -120 ... -30, using: &generator))
      }
    }
    _ = try census(links).notes(of: "x.csv")
  }

  /// Beyond the first 65,536 rows a part is counted: shares stay what they are.
  @Test func `a long input is sampled, and its sentinels and signs are found`() throws {
    var census = LevelCensus()
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<8 {
      var long = block([
        (0..<65_536).map { _ in
          Bool.random(using: &generator)
            ? -110 : Float(Int.random(in: -85 ... -50, using: &generator))
        }
      ])
      census.admit(&long)
    }
    let notes = try census.notes(of: "x.csv")
    #expect(notes.count == 1)
    #expect(notes.first?.hasPrefix("warning: x.csv") == true, "\(notes)")
    #expect(notes.first?.contains("25 dB below") == true)
  }

  @Test func `a trace builder judges each of its inputs by itself`() throws {
    var builder = TraceBuilder(into: BlockCollector(), blockRows: 4)
    _ = builder.beacon(Array("b".utf8).span)
    for number in [-60, 0, -61, -62, 0] as [Float] {
      try builder.append(Sighting(time: 0, beacon: 0, receiver: 0, trace: 0, rssi: number))
    }
    #expect(try builder.endInput("first").map { $0.contains("2 × rssi-zero") } == [true])
    for number in [60, 61, 62] as [Float] {
      try builder.append(Sighting(time: 0, beacon: 0, receiver: 0, trace: 0, rssi: number))
    }
    #expect(throws: RSSIError.self) { _ = try builder.endInput("second") }
    let catalogue = try builder.complete()
    #expect(catalogue.missingLevels.map(\.reason) == ["rssi-out-of-range", "rssi-zero"])
    #expect(catalogue.missingLevels.map(\.count) == [3, 2])
    #expect(catalogue.refusals.isEmpty)
    #expect(builder.sink.all(\.rssi).filter { !$0.isNaN } == [-60, -61, -62])
  }

  @Test func `a live source is warned of once`() throws {
    var builder = TraceBuilder(into: BlockCollector(), blockRows: 8)
    _ = builder.beacon(Array("b".utf8).span)
    var warnings = 0
    for index in 0..<200 {
      try builder.append(
        Sighting(time: 0, beacon: 0, receiver: 0, trace: 0, rssi: index < 5 ? -60 : 61))
      if builder.takeLevelWarning() != nil { warnings += 1 }
    }
    #expect(warnings == 1)
  }
}
