import Advertising
import TestSupport
import Testing

@testable import Sightings

@Suite struct AddressTableTests {
  /// Against a dictionary: addresses that repeat, of types that differ, beyond several sizes.
  @Test func `numbers distinct addresses in order of appearance`() {
    var random = SeededGenerator(seed: 4)
    var table = AddressTable()
    var expected: [DeviceAddress: UInt32] = [:]
    for _ in 0..<5_000 {
      let low = UInt64.random(in: 0..<600, using: &random)
      let address = DeviceAddress(
        bits: Bool.random(using: &random) ? low : low << 38,
        type: [0, 1, 255].randomElement(using: &random) ?? 0)
      let known = expected[address]
      let (index, isNew) = table.intern(address)
      #expect(isNew == (known == nil))
      #expect(index == known ?? UInt32(expected.count))
      expected[address] = index
    }
    #expect(table.count == expected.count)
    for (address, index) in expected {
      let known = table.intern(address)
      #expect(known.index == index)
      #expect(!known.isNew)
    }
  }

  /// The address of most bits that there is is not taken for a place that is free.
  @Test func `the highest address is one too`() {
    var table = AddressTable()
    let highest = DeviceAddress(bits: .max, type: 255)
    let first = table.intern(highest)
    #expect(first.isNew)
    let second = table.intern(highest)
    #expect(!second.isNew)
    #expect(table.count == 1)
  }
}
