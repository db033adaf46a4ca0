/// Counts levels station by station, in memory that does not grow with the readings.
///
/// A **slot** is a station and a channel; the caller works it out once for each stay and hands over
/// blocks of levels with their slots. Whole levels of stays are counted in a dense table, at about a
/// nanosecond a reading; levels with fractions, and the many short stations of a walk, in a table of
/// what occurred. Levels with fractions are exact until two million different ones occurred, and
/// then rounded to 0.01 dB, in all of them, so that parts of a recording add up to the whole.
public struct StationTally: Sendable {
  /// Why a reading has no slot.
  public enum Exclusion: Int32, CaseIterable, Sendable {
    case noDistance = -1
    case zeroDistance = -2
    case belowMinimumDistance = -3
    case otherSeries = -4
    case noLevel = -5
    case notNegative = -6
    case noVariance = -7
  }

  private struct Slot {
    var station: Int
    var channel: UInt8
  }

  /// Slots from here on are of stations that get few readings; those below have a part of the table.
  private static let firstSparse: Int32 = 1 << 24

  private struct Occurrence: Hashable {
    var slot: Int32
    var level: Float
  }

  private struct Sum {
    var count = 0
    var weight = 0.0
  }

  /// The levels of stays that followed each other.
  private struct Chain {
    /// 0 while nothing was heard.
    var first: Int32 = 0
    var last: Int32 = 0
    var products = 0
  }

  /// Different levels with fractions, or of walks, from which on they are rounded.
  private let exactOccurrences: Int
  private let isWeighted: Bool
  private var stationNumbers: [Station.Key: Int] = [:]
  private var stations: [Station] = []
  private var walkStations = 0
  private var denseSlots: [Slot] = []
  private var sparseSlots: [Slot] = []
  private var slotNumbers: [Int: Int32] = [:]
  /// How often −0, −1, … −127 dBm occurred, 128 places a slot.
  private var table: [UInt32] = []
  private var chains: [Chain] = []
  /// Readings in the table.
  private var counted = 0
  /// Places in the table, of one block.
  private var places: [Int32] = []
  private var occurrences: [Occurrence: Sum] = [:]
  private var isRounding = false
  private var excludedCounts = [Int](repeating: 0, count: Exclusion.allCases.count + 1)

  /// - Parameters:
  ///   - isWeighted: whether each reading weighs by the inverse of its variance.
  ///   - exactOccurrences: different levels with fractions, or of walks, that are kept as they are.
  public init(isWeighted: Bool = false, exactOccurrences: Int = 2_000_000) {
    self.isWeighted = isWeighted
    self.exactOccurrences = exactOccurrences
  }

  /// Whether there are so many stations of walks that distances of further ones are to be rounded.
  public var roundsWalks: Bool { walkStations > exactWalkStations }

  /// The number of a station, which is taken up if it is new.
  public mutating func number(of station: Station) -> Int {
    if let known = stationNumbers[station.key] { return known }
    stationNumbers[station.key] = stations.count
    stations.append(station)
    if station.walk != nil { walkStations += 1 }
    return stations.count - 1
  }

  /// Says that a station's stay lasted at least from one time to another, nanoseconds since the Unix
  /// epoch.
  public mutating func extend(station: Int, over span: ClosedRange<Int64>) {
    let had = stations[station].span ?? span
    stations[station].span =
      min(span.lowerBound, had.lowerBound)...max(span.upperBound, had.upperBound)
  }

  /// The slot of a station and a channel.
  ///
  /// - Parameters:
  ///   - channel: 37, 38 or 39; any other is not known.
  ///   - isStay: whether many readings will come; a walk's stations get few.
  public mutating func slot(station: Int, channel: UInt8, isStay: Bool) -> Int32 {
    let known = (37...39).contains(channel)
    let key = station * 4 + (known ? Int(channel) - 36 : 0)
    if let slot = slotNumbers[key] { return slot }
    let new = Slot(station: station, channel: known ? channel : 255)
    let slot: Int32
    if isStay, denseSlots.count < Int(Self.firstSparse) {
      slot = Int32(denseSlots.count)
      denseSlots.append(new)
      table.append(contentsOf: repeatElement(0, count: 128))
      chains.append(Chain())
    } else {
      slot = Self.firstSparse + Int32(sparseSlots.count)
      sparseSlots.append(new)
    }
    slotNumbers[key] = slot
    return slot
  }

  private func slot(_ number: Int32) -> Slot {
    number < Self.firstSparse
      ? denseSlots[Int(number)] : sparseSlots[Int(number - Self.firstSparse)]
  }

  /// Counts a block of whole levels of stays, if it holds nothing else.
  ///
  /// About two nanoseconds a reading: levels become numbers and places of the table in loops without
  /// branches, and only then are counted.
  ///
  /// - Parameters:
  ///   - levels: dBm.
  ///   - keys: for each reading, the place of its slot in `slots`.
  ///   - slots: negative where there is none.
  /// - Returns: whether it was counted; if not, nothing was, and `add` takes it.
  public mutating func addStays(
    levels: Span<Float>, keys: Span<UInt32>, slots: Span<Int32>
  ) -> Bool {
    guard !isWeighted, !levels.isEmpty, counted + levels.count < Int(UInt32.max) else { return false }
    // Out of self, since spans of two properties would overlap.
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

  /// Sets each reading's place in the table; nil where some reading is no whole level of a stay.
  private static func setPlaces(
    _ levels: Span<Float>, _ keys: Span<UInt32>, _ slots: Span<Int32>, _ places: inout [Int32]
  ) -> Slots? {
    var places = places.mutableSpan
    let count = min(levels.count, keys.count, places.count)
    // At 1.5 · 2²³ a float counts in ones: its last bits are the whole number.
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
    // Bits that any slot has, and in which any differs from the first: a negative or sparse one shows in
    // the former, a second one in the latter.
    var any: Int32 = 0
    var differing: Int32 = 0
    for row in 0..<count {
      let key = keys[row]
      let slot = key < known ? slots[Int(key)] : -1
      any |= slot
      differing |= slot ^ first
      places[row] |= slot &<< 7
    }
    guard any >= 0, any < Self.firstSparse else { return nil }
    return differing == 0 ? .one(Int(first)) : .several
  }

  /// Whether a block's readings are all of one slot.
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

  /// The same where all readings are of one slot, whose sums then stay in registers.
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

  /// The station of a slot, without its levels.
  public func station(ofSlot number: Int32) -> Station { stations[slot(number).station] }

  /// Counts a block of readings of any kind.
  ///
  /// - Parameters:
  ///   - levels: dBm; NaN = not available.
  ///   - variances: dB², one a reading, where readings are weighted; else empty.
  ///   - places: the slot of each reading, or the raw value of an `Exclusion`.
  public mutating func add(levels: Span<Float>, variances: Span<Float>, slots: Span<Int32>) {
    for row in levels.indices {
      let level = levels[row]
      let slot = slots[row]
      if level < 0, level > -128, slot >= 0, slot < Self.firstSparse, !isWeighted {
        let whole = Int32(-level)
        let place = Int(slot) << 7 | Int(whole)
        if Float(whole) == -level, table[place] < .max {
          table[place] += 1
          counted += 1
          let last = chains[Int(slot)].last
          chains[Int(slot)].products += Int(whole * last)
          chains[Int(slot)].last = whole
          if last == 0 { chains[Int(slot)].first = whole }
          continue
        }
      }
      addOne(level, variances.isEmpty ? nil : variances[row], slot)
    }
  }

  private mutating func addOne(_ level: Float, _ variance: Float?, _ slot: Int32) {
    if slot == Exclusion.otherSeries.rawValue { return }
    if level.isNaN { return exclude(.noLevel) }
    if level >= 0 { return exclude(.notNegative) }
    if let reason = Exclusion(rawValue: slot) { return exclude(reason) }
    var sum = Sum(count: 1, weight: 1)
    if isWeighted {
      guard let variance, variance > 0, variance.isFinite else { return exclude(.noVariance) }
      sum.weight = 1 / Double(variance)
    }
    take(Occurrence(slot: slot, level: isRounding ? rounded(level) : level), sum)
    if !isRounding, occurrences.count > exactOccurrences {
      isRounding = true
      let exact = occurrences
      occurrences = [:]
      for (one, sum) in exact { take(Occurrence(slot: one.slot, level: rounded(one.level)), sum) }
    }
  }

  private mutating func take(_ one: Occurrence, _ sum: Sum) {
    occurrences[one, default: Sum()].count += sum.count
    occurrences[one, default: Sum()].weight += sum.weight
  }

  private mutating func exclude(_ reason: Exclusion) {
    excludedCounts[Int(-reason.rawValue)] += 1
  }

  /// Readings left out, by reason.
  public func excluded(_ reason: Exclusion) -> Int { excludedCounts[Int(-reason.rawValue)] }

  /// The stations where something was heard, in order.
  public func heardStations() -> [Station] {
    var heard = stations
    for (number, slot) in denseSlots.enumerated() {
      var count = 0
      var total = 0
      // From the weakest, the order of a station's levels.
      for whole in stride(from: 127, to: 0, by: -1) {
        let times = Int(table[number << 7 | whole])
        guard times > 0 else { continue }
        heard[slot.station].levels.append(
          LevelCount(level: -Double(whole), channel: slot.channel, count: times))
        count += times
        total += whole * times
      }
      guard count > 1 else { continue }
      let chain = chains[number]
      var succession = Succession()
      succession.pairs = count - 1
      succession.earlier = -Double(total - Int(chain.last))
      succession.later = -Double(total - Int(chain.first))
      succession.products = Double(chain.products)
      heard[slot.station].succession = heard[slot.station].succession + succession
    }
    for (one, sum) in occurrences {
      let slot = slot(one.slot)
      heard[slot.station].levels.append(
        LevelCount(
          level: Double(one.level), channel: slot.channel, count: sum.count,
          weight: isWeighted ? sum.weight : nil))
    }
    for index in heard.indices { heard[index].levels = LevelCount.merged(heard[index].levels) }
    return merged([heard.filter { !$0.levels.isEmpty }])
  }
}

/// A level to 0.01 dB.
private func rounded(_ level: Float) -> Float {
  Float((Double(level) * 100).rounded(.toNearestOrAwayFromZero) / 100)
}
