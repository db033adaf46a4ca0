import Sightings
import TestSupport
import Testing

@Suite("Fillers for what was not heard")
struct FillerLevelTests {
  private func counts(_ levels: [Int]) -> [(level: Int, count: Int)] {
    levels.reduce(into: [:] as [Int: Int]) { $0[$1, default: 0] += 1 }
      .sorted { $0.key < $1.key }.map { (level: $0.key, count: $0.value) }
  }

  private func found(_ links: [[Int]]) -> [FillerLevel] { FillerLevel.find(in: links.map(counts)) }

  /// Levels as a link has them, whole and Gaussian.
  private func levels(
    _ count: Int, mean: Double, deviation: Double, _ generator: inout SeededGenerator
  ) -> [Int] {
    (0..<count).map { _ in Int((mean + deviation * generator.gaussian()).rounded()) }
  }

  @Test(arguments: [-100, -105, -110, -120, -127])
  func `are named with count, value and gap`(filler: Int) throws {
    var generator = SeededGenerator(seed: 3)
    let heard = levels(200, mean: -70, deviation: 4, &generator)
    let one = try #require(found([heard + Array(repeating: filler, count: 100)]).first)
    #expect(one.level == filler && one.count == 100 && one.total == 300)
    #expect(one.gap == (heard.min() ?? 0) - filler)
    #expect(one.words.contains("100 of 300 levels are exactly \(filler) dBm, \(one.gap) dB below"))
  }

  @Test func `above all others too`() throws {
    var generator = SeededGenerator(seed: 3)
    let heard = levels(100, mean: -70, deviation: 4, &generator)
    let one = try #require(found([heard + Array(repeating: -1, count: 50)]).first)
    #expect(one.level == -1 && one.gap < -40)
    #expect(one.words.contains("dB above the next"))
  }

  @Test func `fillers of small links count together, also of links without other levels`() {
    let links = [
      [-60, -63, -66, -70, -110, -110], [-71, -74, -75, -110, -110, -110], [-110, -110],
    ]
    #expect(found(links).map(\.level) == [])
    let more = found(links + [[-80, -82, -85, -87, -110, -110, -110]])
    #expect(more.map { [$0.level, $0.count, $0.total, $0.gap] } == [[-110, 10, 21, 23]])
  }

  @Test(arguments: [
    // A pile at the sensitivity.
    Array(repeating: -95, count: 300) + Array(repeating: -94, count: 90) + [-93, -93, -90, -80],
    // A receiver with steps of 5 dB.
    [-90, -90, -90, -90, -90, -85, -80, -75, -70, -90, -90, -90, -90],
    // Near and far, each with noise.
    Array(repeating: -85, count: 40) + Array(repeating: -84, count: 40)
      + Array(repeating: -60, count: 40) + Array(repeating: -61, count: 40),
    // Two levels without noise.
    Array(repeating: -85, count: 40) + Array(repeating: -60, count: 40),
    // A few deep fades.
    Array(repeating: -60, count: 100) + [-61, -62, -59, -95, -95], [-60], [],
  ])
  func `floors, steps and two places are not named`(levels: [Int]) {
    #expect(found([levels]).isEmpty)
  }

  /// The levels of a node that stays at one to three distances, whose gaps look like a filler's.
  private func stays(_ generator: inout SeededGenerator) -> [Int] {
    (0..<Int.random(in: 1...3, using: &generator)).flatMap { _ in
      levels(
        Int.random(in: 1...40, using: &generator), mean: -78 + 8 * generator.gaussian(),
        deviation: .random(in: 0.2...3, using: &generator), &generator)
    }.filter { $0 >= -95 }
  }

  @Test(arguments: [1, 4, 10, 30, 100, 300, 1000, 5000])
  func `stays of any number of links are rarely named`(links: Int) {
    let trials = max(6, min(200, 6000 / links))
    let named = (1...trials).count { seed in
      var generator = SeededGenerator(seed: UInt64(1000 * links + seed))
      return !found((0..<links).map { _ in stays(&generator) }).isEmpty
    }
    #expect(named * 50 <= trials, "\(named) of \(trials)")
  }

  @Test(arguments: [(8, 3), (100, 15), (5000, 400)])
  func `a filler of some of many links is named`(links: Int, filled: Int) {
    var generator = SeededGenerator(seed: 9)
    let all = (0..<links).map { link in
      stays(&generator) + (link < filled ? Array(repeating: -110, count: 30) : [])
    }
    #expect(found(all).map(\.level) == [-110])
  }

  @Test(arguments: 1...300)
  func `Gaussian links are never named`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...60, using: &generator)
    let deviation = Double.random(in: 0.3...12, using: &generator)
    let links = (0..<4).map { _ in
      levels(
        count, mean: .random(in: -90 ... -50, using: &generator), deviation: deviation, &generator
      ).filter { $0 >= -95 }
    }
    #expect(found(links).isEmpty)
  }
}
