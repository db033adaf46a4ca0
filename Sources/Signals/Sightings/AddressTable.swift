internal import Advertising

/// Device addresses, numbered in order of first appearance.
///
/// Open addressing, at most half full: 32 to 64 bytes an address. O(1) per look-up, which allocates
/// nothing.
struct AddressTable: Sendable {
  private struct Slot {
    var key: UInt64
    var number: UInt32
  }

  private(set) var count = 0
  private var slots: [Slot]
  private let hasher = ByteHasher()

  /// An address of 48 bits and a type of eight leave the highest bits clear.
  private static let free = Slot(key: .max, number: 0)

  init() { slots = Array(repeating: Self.free, count: 64) }

  /// The number of an address, which is stored if it is new.
  mutating func intern(_ address: DeviceAddress) -> (index: UInt32, isNew: Bool) {
    let key = address.bits | UInt64(address.type) << 48
    let slot = slot(of: key)
    if slots[slot].key == key { return (slots[slot].number, false) }
    let number = UInt32(count)
    slots[slot] = Slot(key: key, number: number)
    count += 1
    if count * 2 > slots.count { grow() }
    return (number, true)
  }

  /// The slot that holds the key, or the free one where it belongs.
  private func slot(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(hasher.hash(key)) & mask
    while slots[slot].key != key, slots[slot].key != Self.free.key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Self.free, count: old.count * 2)
    for entry in old where entry.key != Self.free.key { slots[slot(of: entry.key)] = entry }
  }
}
