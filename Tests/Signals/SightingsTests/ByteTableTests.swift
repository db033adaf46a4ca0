import TestSupport
import Testing

@testable import Sightings

@Suite struct ByteTableTests {
  /// Against a dictionary: short keys that often repeat, and long ones that seldom do.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `numbers distinct bytes in order of appearance`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = ByteTable()
    var expected: [[UInt8]: Int] = [:]
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...40, using: &generator)
      let start = Int.random(in: 0...length, using: &generator)
      let key = (0..<length).map { $0 < start ? 7 : UInt8.random(in: 0...3, using: &generator) }
      let known = expected[key]
      #expect(table.find(key.span) == known)
      let guess = Int.random(in: 0...expected.count, using: &generator)
      #expect(table.find(key.span, probably: guess) == known)
      if let known { #expect(table.find(key.span, probably: known) == known) }
      let (index, isNew) = table.intern(key.span)
      #expect(isNew == (known == nil))
      #expect(index == known ?? expected.count)
      expected[key] = index
    }
    #expect(table.count == expected.count)
    #expect(table.byteCount == expected.keys.reduce(0) { $0 + $1.count })
    for (key, index) in expected { #expect(table.find(key.span) == index) }
  }

  @Test func `keys that differ only in length differ`() {
    var table = ByteTable()
    let keys: [[UInt8]] = [
      [], [0], [0, 0], [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0, count: 9),
    ]
    #expect(keys.map { table.intern($0.span).index } == [0, 1, 2, 3, 4])
  }

  @Test func `starts again after remove all`() {
    var table = ByteTable()
    for byte in 0..<100 as Range<UInt8> { _ = table.intern([byte].span) }
    table.removeAll()
    #expect(table.count == 0)
    #expect(table.byteCount == 0)
    #expect(table.find([5].span) == nil)
    #expect(table.intern([5].span) == (0, true))
  }
}
