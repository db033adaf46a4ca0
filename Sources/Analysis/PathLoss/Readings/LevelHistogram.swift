/// The counts of each whole level in stays, with the sums over successive levels, by slot.
///
/// Dense: 128 entries per slot for −0, −1, … −127 dBm, so that counting is adding 1 to an entry.
struct LevelHistogram: Sendable {
  /// The successive levels of a stay.
  private struct Chain {
    /// The first level; 0 before it.
    var first: Int32 = 0
    var last: Int32 = 0
    var products = 0
  }

  /// The limit of slots in the table.
  static let slotLimit = 1 << 24

  private var table: [UInt32] = []
  private var chains: [Chain] = []
  /// The number of readings in the table.
  private var counted = 0
  /// The entries of one block in the table.
  private var places: [Int32] = []

  /// Adds a slot and returns its number.
  mutating func addSlot() -> Int32 {
    table.append(contentsOf: repeatElement(0, count: 128))
    chains.append(Chain())
    return Int32(chains.count - 1)
  }

  /// Counts one level if it is whole and its slot is in the table.
  mutating func count(_ level: Float, slot: Int32) -> Bool {
    guard level < 0, level > -128, slot >= 0, slot < chains.count else { return false }
    let whole = Int32(-level)
    let place = Int(slot) << 7 | Int(whole)
    guard Float(whole) == -level, table[place] < .max else { return false }
    table[place] += 1
    counted += 1
    let last = chains[Int(slot)].last
    chains[Int(slot)].products += Int(whole * last)
    chains[Int(slot)].last = whole
    if last == 0 { chains[Int(slot)].first = whole }
    return true
  }

  /// Counts a block if it contains only whole levels of slots in the table.
  ///
  /// - Parameters:
  ///   - keys: The index in `slots` of each reading.
  ///   - slots: The slots; negative for none.
  /// - Returns: A Boolean value that is true if the block was counted; otherwise nothing was
  ///   counted.
  mutating func count(_ levels: Span<Float>, _ keys: Span<UInt32>, _ slots: Span<Int32>) -> Bool {
    guard !levels.isEmpty, counted + levels.count < Int(UInt32.max) else { return false }
    // Moved out of self, because spans of two properties would overlap.
    var (table, chains, places): ([UInt32], [Chain], [Int32]) = ([], [], [])
    swap(&table, &self.table)
    swap(&chains, &self.chains)
    swap(&places, &self.places)
    if places.count < levels.count {
      places.append(contentsOf: repeatElement(0, count: levels.count - places.count))
    }
    let found = Self.setPlaces(levels, keys, slots, &places)
    switch found {
    case .one(let slot)?: Self.countOne(slot, levels.count, places.span, &table, &chains)
    case .several?: Self.count(levels.count, places.span, &table, &chains)
    case nil: break
    }
    if found != nil { counted += levels.count }
    swap(&table, &self.table)
    swap(&chains, &self.chains)
    swap(&places, &self.places)
    return found != nil
  }

  /// Returns the levels from the weakest, the order of a station's levels.
  func levels(ofSlot slot: Int, channel: UInt8) -> [LevelCount] {
    stride(from: 127, to: 0, by: -1).compactMap { whole in
      let times = Int(table[slot << 7 | whole])
      return times > 0 ? LevelCount(level: -Double(whole), channel: channel, count: times) : nil
    }
  }

  func succession(ofSlot slot: Int) -> Succession {
    var succession = Succession()
    var (count, total, squares) = (0, 0, 0)
    for whole in 1..<128 {
      let times = Int(table[slot << 7 | whole])
      count += times
      total += whole * times
      squares += whole * whole * times
    }
    guard count > 1 else { return succession }
    let chain = chains[slot]
    succession.pairs = count - 1
    succession.earlier = -Double(total - Int(chain.last))
    succession.later = -Double(total - Int(chain.first))
    succession.products = Double(chain.products)
    // Each level but the first and the last is in two differences.
    let (first, last) = (Int(chain.first), Int(chain.last))
    succession.squaredDifferences = Double(
      2 * squares - first * first - last * last - 2 * chain.products)
    return succession
  }

  /// Sets each reading's entry in the table, or returns `nil` if a reading is not a whole level of
  /// a stay.
  private static func setPlaces(
    _ levels: Span<Float>, _ keys: Span<UInt32>, _ slots: Span<Int32>, _ places: inout [Int32]
  ) -> Slots? {
    var places = places.mutableSpan
    let count = min(levels.count, keys.count, places.count)
    // At 1.5 · 2²³ the spacing of floats is 1, so the last bits are the whole number.
    let ones: Float = 12_582_912
    var irregular: UInt32 = 0
    for row in 0..<count {
      let level = levels[row]
      let moved = level + ones
      let whole = Int32(bitPattern: ones.bitPattern &- moved.bitPattern)
      irregular |= moved - ones == level ? 0 : 1
      irregular |= UInt32(bitPattern: whole &- 1) < 127 ? 0 : 1
      places[row] = whole
    }
    guard irregular == 0 else { return nil }
    let known = UInt32(clamping: slots.count)
    guard let key = keys.isEmpty ? nil : keys[0], key < known else { return nil }
    let first = slots[Int(key)]
    // The bits set in any slot, and those that differ from the first: the former reveal a negative
    // or sparse slot, the latter a second one.
    var any: Int32 = 0
    var differing: Int32 = 0
    for row in 0..<count {
      let key = keys[row]
      let slot = key < known ? slots[Int(key)] : -1
      any |= slot
      differing |= slot ^ first
      places[row] |= slot &<< 7
    }
    guard any >= 0, any < Int32(slotLimit) else { return nil }
    return differing == 0 ? .one(Int(first)) : .several
  }

  /// A classification of a block: all readings in one slot, or several slots.
  private enum Slots {
    case one(Int)
    case several
  }

  private static func count(
    _ rows: Int, _ places: Span<Int32>, _ table: inout [UInt32], _ chains: inout [Chain]
  ) {
    var counts = table.mutableSpan
    var links = chains.mutableSpan
    for row in 0..<rows {
      let place = places[row]
      let slot = Int(place >> 7)
      let whole = place & 127
      counts[Int(place)] &+= 1
      let last = links[slot].last
      links[slot].products &+= Int(whole &* last)
      links[slot].last = whole
      if last == 0 { links[slot].first = whole }
    }
  }

  /// Counts readings of one slot, whose sums stay in registers.
  private static func countOne(
    _ slot: Int, _ rows: Int, _ places: Span<Int32>, _ table: inout [UInt32],
    _ chains: inout [Chain]
  ) {
    var counts = table.mutableSpan
    var chain = chains[slot]
    if chain.last == 0 { chain.first = places[0] & 127 }
    for row in 0..<rows {
      let place = places[row]
      let whole = place & 127
      counts[Int(place)] &+= 1
      chain.products &+= Int(whole &* chain.last)
      chain.last = whole
    }
    chains[slot] = chain
  }
}
