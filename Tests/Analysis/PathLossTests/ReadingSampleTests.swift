import Foundation
import PathLoss
import TestSupport
import Testing

struct ReadingSampleTests {
  /// Readings of ten minutes, of which some are at one instant.
  private func readings(_ count: Int, _ generator: inout SeededGenerator) -> [(Int64, Float)] {
    (0..<count).map { _ in
      (
        1_700_000_000_000_000_000 + Int64.random(in: 0..<600_000, using: &generator) * 1_000_000,
        -Float(Int.random(in: 30...100, using: &generator))
      )
    }
  }

  private func sample(_ readings: some Sequence<(Int64, Float)>, _ capacity: Int) -> ReadingSample {
    var sample = ReadingSample(capacity: capacity)
    for (time, level) in readings { sample.add(time: time, level: level, link: 7) }
    sample.sort()
    return sample
  }

  @Test func `every reading is kept up to the capacity`() {
    var generator = SeededGenerator(seed: 1)
    let all = readings(200, &generator)
    let kept = sample(all, 200)
    #expect(kept.halvings == 0)
    #expect(
      kept.readings.map { [Double($0.time), Double($0.level)] }
        == all.map { [Double($0.0 / 1_000_000), Double($0.1)] }
        .sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
    #expect(sample(all, 199).halvings == 1)
  }

  @Test func `is the same for the same readings in any order and in any parts`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20 {
      let all = readings(Int.random(in: 0...3000, using: &generator), &generator)
      let capacity = Int.random(in: 1...500, using: &generator)
      let whole = sample(all, capacity)
      #expect(whole.readings.count <= capacity)
      #expect(sample(all.shuffled(using: &generator), capacity) == whole)
      let cut = Int.random(in: 0...all.count, using: &generator)
      var parts = sample(all[..<cut], capacity)
      parts.merge(sample(all[cut...], capacity))
      parts.sort()
      #expect(parts == whole)
      // What is kept is all of a cell that is kept.
      #expect(whole.readings.count == all.count { whole.keeps(time: $0.0 / 1_000_000) })
    }
  }

  @Test func `links have hashes of the names of both nodes`() {
    // FNV-1a of the empty name and of "a", as published.
    #expect(ReadingSample.hash("") == 0xcbf2_9ce4_8422_2325)
    #expect(ReadingSample.hash("a") == 0xaf63_dc4c_8601_ec8c)
    let (one, other) = (ReadingSample.hash("b1"), ReadingSample.hash("phone"))
    let links = [(one, other), (other, one), (one, one), (other, other)].map {
      ReadingSample.link(beacon: $0, receiver: $1)
    }
    #expect(Set(links).count == 4 && !links.contains(0))
  }

  @Test func `omits invalid levels`() {
    let levels: [Float] = [.nan, 0, 4, -.infinity, -2000, -60]
    #expect(sample(levels.map { (0, $0) }, 10).readings.map(\.level) == [-60])
  }

  @Test func `keeps nothing of more readings at one instant than there is room for`() {
    let kept = sample((0..<20).map { (5, -Float($0 + 1)) }, 10)
    #expect(kept.readings.isEmpty)
    #expect(!sample([(.max, -60), (.min, -60)], 10).readings.isEmpty)
  }

  @Test func `a damaged one is refused`() throws {
    func decoded(_ text: String) throws -> ReadingSample {
      try JSONDecoder().decode(ReadingSample.self, from: Data(text.utf8))
    }
    let sound = #"{"halvings": 0, "times_ms": [2, 1], "levels_dbm": [-60, -70]}"#
    #expect(try decoded(sound).readings.map(\.level) == [-70, -60])
    #expect(try decoded(sound).readings.map(\.link) == [0, 0])
    let linked = try decoded(sound.replacing("]}", with: "], \"links\": [8, 9]}"))
    #expect(linked.readings.map(\.link) == [9, 8])
    #expect(
      try JSONDecoder().decode(ReadingSample.self, from: JSONEncoder().encode(linked)) == linked)
    for (part, other) in [
      ("[2, 1]", "[1]"), ("[2, 1]", "[2, 9223372036854775807]"), ("-60", "0"), ("-60", "-1001"),
      ("0,", "65,"), ("0,", "-1,"), ("[2, 1]", "null"), ("]}", "], \"links\": [1]}"),
      ("]}", "], \"links\": [1, -1]}"),
    ] {
      #expect(throws: DecodingError.self) {
        try decoded(sound.replacing(part, with: other, maxReplacements: 1))
      }
    }
  }
}
