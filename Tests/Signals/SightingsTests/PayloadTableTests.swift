import TestSupport
import Testing

@testable import Sightings

@Suite struct PayloadTableTests {
  private func payload(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  /// The numbers that a sequence of payloads gets, and the payloads that were handed on.
  private func numbers(
    _ sequence: [Int], capacity: Int, byteCapacity: Int = .max
  ) -> (numbers: [Int], new: [[UInt8]]) {
    var table = PayloadTable(capacity: capacity, byteCapacity: byteCapacity)
    var numbers: [Int] = []
    for number in sequence {
      let bytes = payload(number)
      let slot = table.intern(bytes.span)
      numbers.append(Int(table.number(at: slot)))
    }
    var new: [[UInt8]] = []
    var rest = table.new.bytes[...]
    for length in table.new.lengths {
      new.append(Array(rest.prefix(Int(length))))
      rest.removeFirst(Int(length))
    }
    #expect(rest.isEmpty)
    return (numbers, new)
  }

  @Test func `hands on each distinct payload once`() {
    var generator = SeededGenerator(seed: 4)
    let sequence = (0..<5_000).map { _ in Int.random(in: 0..<200, using: &generator) }
    let (numbers, new) = numbers(sequence, capacity: 1_000)
    #expect(new.count == Set(sequence).count)
    #expect(Set(new).count == new.count)
    for (number, index) in zip(sequence, numbers) { #expect(new[index] == payload(number)) }
  }

  /// A payload that comes back after fewer than `capacity` others has the number that it had.
  @Test(arguments: [1, 2, 7, 64])
  func `a number is stable among the last distinct ones`(capacity: Int) {
    var generator = SeededGenerator(seed: 5)
    let sequence = (0..<4_000).map { _ in Int.random(in: 0..<3 * capacity, using: &generator) }
    let (numbers, new) = numbers(sequence, capacity: capacity)
    var last: [Int: Int] = [:]
    for (position, number) in sequence.enumerated() {
      #expect(new[numbers[position]] == payload(number))
      if let before = last[number], Set(sequence[(before + 1)..<position]).count < capacity {
        #expect(numbers[position] == numbers[before])
      }
      last[number] = position
    }
  }

  /// A guess saves time only: wrong, out-of-date and impossible ones give the same numbers.
  @Test(arguments: 1...20)
  func `numbers do not depend on guesses`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let capacity = Int.random(in: 1..<30, using: &generator)
    var (table, guessing) = (PayloadTable(capacity: capacity), PayloadTable(capacity: capacity))
    var slots: [Int: Int] = [:]
    for _ in 0..<2_000 {
      let number = Int.random(in: 0..<3 * capacity, using: &generator)
      // Of lengths from 0 to 8, compared by bytes and by words.
      let bytes = Array(payload(number).suffix(number % 9))
      let guess =
        Bool.random(using: &generator)
        ? slots[number] ?? .max : Int.random(in: 0..<2 * capacity, using: &generator)
      let slot = guessing.intern(bytes.span, probably: guess)
      slots[number] = slot
      let same = table.intern(bytes.span)
      #expect(guessing.number(at: slot) == table.number(at: same))
    }
    #expect(guessing.new.bytes == table.new.bytes)
    #expect(guessing.new.lengths == table.new.lengths)
  }

  /// Telemetry that never repeats: what was seen long ago is forgotten, by number and by bytes.
  @Test(arguments: [(100, Int.max), (Int.max, 800)])
  func `forgets beyond two generations`(capacity: Int, byteCapacity: Int) {
    let sequence = Array(0..<250) + [0, 249]
    let result = numbers(sequence, capacity: capacity, byteCapacity: byteCapacity)
    #expect(result.numbers.suffix(2) == [250, 249])
  }

  @Test func `keeps the meaning as long as the number`() {
    var table = PayloadTable(capacity: 2)
    let first = table.intern(payload(1).span)
    table[meaning: first] = .beacon(9)
    _ = table.intern(payload(2).span)
    _ = table.intern(payload(3).span)
    let slot = table.intern(payload(1).span)
    guard case .beacon(9) = table[meaning: slot] else {
      Issue.record("the payload lost its beacon")
      return
    }
  }

  @Test func `remove new keeps the numbers`() {
    var table = PayloadTable()
    _ = table.intern(payload(1).span)
    table.removeNew()
    let again = table.intern(payload(1).span)
    #expect(table.number(at: again) == 0)
    #expect(table.new.lengths.isEmpty)
    let second = table.intern(payload(2).span)
    #expect(table.number(at: second) == 1)
    #expect(table.new.bytes == payload(2))
  }
}
