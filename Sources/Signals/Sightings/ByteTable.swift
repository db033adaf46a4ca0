internal import Advertising

/// A table of distinct byte strings, numbered in order of first appearance.
///
/// Open addressing over one arena of bytes: a look-up allocates nothing, and an entry takes its
/// bytes and 16 more. O(1) per look-up.
struct ByteTable: Sendable {
  private struct Entry {
    var hash: UInt32
    var length: UInt32
    var offset: Int
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// The entry numbers plus one, 0 for free; the length is a power of two, at most half full.
  private var slots: [UInt32]
  private var hasher = ByteHasher()

  init() { slots = Array(repeating: 0, count: 64) }

  var count: Int { entries.count }
  var byteCount: Int { bytes.count }

  /// Returns the number of a byte string, or `nil` if it is new.
  ///
  /// - Parameter guess: A number that is compared first.
  func find(_ key: Span<UInt8>, probably guess: Int = .max) -> Int? {
    if guess < entries.count, matches(entries[guess], key) { return guess }
    let slot = slots[slot(of: key, hash: hasher.hash(key))]
    return slot == 0 ? nil : Int(slot - 1)
  }

  /// Returns the number of a byte string, which is stored if it is new.
  mutating func intern(_ key: Span<UInt8>) -> (index: Int, isNew: Bool) {
    let hash = hasher.hash(key)
    let slot = slot(of: key, hash: hash)
    if slots[slot] != 0 { return (Int(slots[slot] - 1), false) }
    entries.append(Entry(hash: hash, length: UInt32(key.count), offset: bytes.count))
    for i in key.indices { bytes.append(key[i]) }
    slots[slot] = UInt32(entries.count)
    if entries.count * 2 > slots.count { grow() }
    return (entries.count - 1, true)
  }

  /// Removes everything and keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    for i in slots.indices { slots[i] = 0 }
  }

  /// Returns the slot with the key, or the free one in which it belongs.
  @inline(__always)
  private func slot(of key: Span<UInt8>, hash: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot] - 1)]
      if entry.hash == hash, matches(entry, key) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  @inline(__always)
  private func matches(_ entry: Entry, _ key: Span<UInt8>) -> Bool {
    guard Int(entry.length) == key.count else { return false }
    let stored = bytes.span.extracting(entry.offset..<entry.offset + key.count)
    guard key.count >= 8 else {
      for i in key.indices where stored[i] != key[i] { return false }
      return true
    }
    // The last word first, because names differ at their ends; it overlaps the one before it.
    let last = key.count - 8
    guard stored.word(at: last) == key.word(at: last) else { return false }
    for i in stride(from: 0, to: last, by: 8) where stored.word(at: i) != key.word(at: i) {
      return false
    }
    return true
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }
}

/// A keyed hash of bytes with a random key, so that packets cannot be crafted to collide.
struct ByteHasher: Sendable {
  private let key = UInt64.random(in: .min ... .max) | 1

  /// Returns 32 well-mixed bits, multiplying and folding 16 bytes at a time (Wang, wyhash, 2019).
  func hash(_ bytes: Span<UInt8>) -> UInt32 {
    var state = key ^ (UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15)
    guard bytes.count >= 8 else {
      var word: UInt64 = 0
      for i in bytes.indices { word = word << 8 | UInt64(bytes[i]) }
      return folded(mix(state ^ word))
    }
    var i = 0
    while i + 16 < bytes.count {
      state = mix(state ^ bytes.word(at: i), bytes.word(at: i + 8))
      i += 16
    }
    // The last words overlap those before them.
    let last = bytes.count - 8
    return folded(mix(state ^ bytes.word(at: min(i, last)), bytes.word(at: last)))
  }

  /// Returns 32 well-mixed bits of a number.
  func hash(_ number: UInt64) -> UInt32 { folded(mix(key ^ number)) }

  private func folded(_ state: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: state ^ (state >> 32))
  }

  private func mix(_ value: UInt64, _ other: UInt64 = 0) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F ^ key ^ other)
    return product.high ^ product.low
  }
}

extension Span where Element == UInt8 {
  /// Eight bytes as one number; checked once, so that the compiler loads them at once.
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    let bytes = extracting(offset..<offset + 8)
    let low =
      UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16 | UInt64(bytes[3]) << 24
    let high =
      UInt64(bytes[4]) | UInt64(bytes[5]) << 8 | UInt64(bytes[6]) << 16 | UInt64(bytes[7]) << 24
    return low | high << 32
  }
}

/// A table of device addresses, numbered in order of first appearance.
///
/// Open addressing, at most half full: 32 to 64 bytes per address. O(1) per look-up, which
/// allocates nothing.
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

  /// Returns the number of an address, which is stored if it is new.
  ///
  /// Inlined, because a call passes the type, a byte stored just before, in a wider load that waits
  /// for it.
  @inline(__always)
  mutating func intern(_ address: DeviceAddress) -> (index: UInt32, isNew: Bool) {
    let key = address.bits | UInt64(address.type) << 48
    let slot = slot(of: key)
    return slots[slot].key == key ? (slots[slot].number, false) : (add(key, at: slot), true)
  }

  private mutating func add(_ key: UInt64, at slot: Int) -> UInt32 {
    let number = UInt32(count)
    slots[slot] = Slot(key: key, number: number)
    count += 1
    if count * 2 > slots.count { grow() }
    return number
  }

  /// Returns the slot with the key, or the free one in which it belongs.
  @inline(__always)
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
