import Support
import TestSupport
import Testing

@Suite("A dictionary of the keys that were set last") struct LatestValuesTests {
  @Test(arguments: [1, 2, 7, 100])
  func `it has what a list of the latest keys has`(_ most: Int) {
    var generator = SeededGenerator(seed: UInt64(most))
    var values = LatestValues<Int, Int>(most: most)
    var list: [(key: Int, value: Int)] = []
    for step in 0..<5000 {
      let key = Int.random(in: 0..<150, using: &generator)
      if step % 7 == 6 {
        #expect(values.remove(key) == list.first { $0.key == key }?.value)
        list.removeAll { $0.key == key }
        continue
      }
      let removed = values.set(step, for: key)
      list.removeAll { $0.key == key }
      list.append((key, step))
      let oldest = list.count > most ? list.removeFirst() : nil
      #expect(removed?.key == oldest?.key && removed?.value == oldest?.value)
      #expect(values.count == list.count)
    }
    for (key, value) in list { #expect(values[key] == value) }
    #expect(Set(values.values.map(\.key)) == Set(list.map(\.key)))
    while let removed = values.removeOldest() {
      #expect(removed.key == list.removeFirst().key)
    }
    #expect(list.isEmpty)
  }
}
