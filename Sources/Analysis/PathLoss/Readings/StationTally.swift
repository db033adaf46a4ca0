/// Counts levels station by station, in memory that does not grow with the readings.
///
/// A **slot** is a station and a channel; the caller works it out once for each stay and hands over
/// blocks of levels with their slots. Whole levels of stays are counted in a dense table; levels
/// with fractions, and the many short stations of a walk, in a table of what occurred. Levels with
/// fractions are exact until two million different ones occurred, and then rounded to 0.01 dB, in
/// all of them.
package struct StationTally: Sendable {
  /// Why a reading has no slot.
  package enum Exclusion: Int32, CaseIterable, Sendable {
    case noDistance = -1
    case zeroDistance = -2
    case belowMinimumDistance = -3
    case otherSeries = -4
    case noLevel = -5
    case noVariance = -6
    case tooNear = -7
  }

  private struct Slot {
    var station: Int
    var channel: UInt8
    /// Of a walk, the number of its link on this channel.
    var walk: Int?
    /// Over the differences from the reading before on that walk.
    var pairs = 0
    var squaredDifferences = 0.0
  }

  /// One link on one walk on one channel.
  private struct Walk: Hashable {
    var position: UInt64
    var channel: UInt8
  }

  private struct Occurrence: Hashable {
    var slot: Int32
    var level: Float
  }

  private struct Sum {
    var count = 0
    var weight = 0.0
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
  private var walkNumbers: [Walk: Int] = [:]
  /// By walk, the level that came last; NaN before the first.
  private var walkLevels: [Float] = []
  private var table = LevelHistogram()
  private var occurrences: [Occurrence: Sum] = [:]
  private var isRounding = false
  private var excludedCounts = [Int](repeating: 0, count: Exclusion.allCases.count + 1)

  /// - Parameters:
  ///   - isWeighted: whether each reading weighs by the inverse of its variance.
  ///   - exactOccurrences: different levels with fractions, or of walks, that are kept as they are.
  package init(isWeighted: Bool = false, exactOccurrences: Int = 2_000_000) {
    self.isWeighted = isWeighted
    self.exactOccurrences = exactOccurrences
  }

  /// A Boolean value that is true if there are so many stations of walks that distances of further
  /// ones are to be rounded.
  package var roundsWalks: Bool { walkStations > exactWalkStations }

  /// The number of a station, which is taken up if it is new.
  package mutating func number(of station: Station) -> Int {
    if let known = stationNumbers[station.key] { return known }
    stationNumbers[station.key] = stations.count
    stations.append(station)
    if station.walk != nil { walkStations += 1 }
    return stations.count - 1
  }

  /// States that a station's stay lasted at least from one time to another, nanoseconds since the
  /// Unix epoch.
  package mutating func extend(station: Int, over span: ClosedRange<Int64>) {
    let had = stations[station].span ?? span
    stations[station].span =
      min(span.lowerBound, had.lowerBound)...max(span.upperBound, had.upperBound)
  }

  /// The slot of a station and a channel.
  ///
  /// - Parameters:
  ///   - channel: 37, 38 or 39; any other is not known.
  ///   - isStay: whether many readings will come; a walk's stations get few.
  package mutating func slot(station: Int, channel: UInt8, isStay: Bool) -> Int32 {
    let known = (37...39).contains(channel)
    let key = station * 4 + (known ? Int(channel) - 36 : 0)
    if let slot = slotNumbers[key] { return slot }
    var new = Slot(station: station, channel: known ? channel : 255)
    if stations[station].walk != nil {
      new.walk = walkNumber(Walk(position: stations[station].position, channel: new.channel))
    }
    let slot: Int32
    if isStay, denseSlots.count < LevelHistogram.slotLimit {
      slot = table.addSlot()
      denseSlots.append(new)
    } else {
      slot = Int32(LevelHistogram.slotLimit) + Int32(sparseSlots.count)
      sparseSlots.append(new)
    }
    slotNumbers[key] = slot
    return slot
  }

  private mutating func walkNumber(_ walk: Walk) -> Int {
    if let known = walkNumbers[walk] { return known }
    walkNumbers[walk] = walkLevels.count
    walkLevels.append(.nan)
    return walkLevels.count - 1
  }

  private func slot(_ number: Int32) -> Slot {
    number < Int32(LevelHistogram.slotLimit)
      ? denseSlots[Int(number)] : sparseSlots[Int(number - Int32(LevelHistogram.slotLimit))]
  }

  /// Counts a block of whole levels of stays, if it holds nothing else.
  ///
  /// About three nanoseconds a reading: levels become numbers and places of the table in loops
  /// without branches, and only then are counted.
  ///
  /// - Parameters:
  ///   - levels: dBm.
  ///   - keys: for each reading, the place of its slot in `slots`.
  ///   - slots: negative where there is none.
  /// - Returns: whether it was counted; if not, nothing was, and `add` takes it.
  package mutating func addStays(
    levels: Span<Float>, keys: Span<UInt32>, slots: Span<Int32>
  ) -> Bool {
    !isWeighted && table.count(levels, keys, slots)
  }

  /// The station of a slot, without its levels.
  package func station(ofSlot number: Int32) -> Station { stations[slot(number).station] }

  /// Counts a block of readings of any kind.
  ///
  /// - Parameters:
  ///   - levels: dBm; NaN = not available.
  ///   - variances: dB², one a reading, where readings are weighted; else empty.
  ///   - places: the slot of each reading, or the raw value of an `Exclusion`.
  package mutating func add(levels: Span<Float>, variances: Span<Float>, slots: Span<Int32>) {
    for row in levels.indices {
      let level = levels[row]
      let slot = slots[row]
      if !isWeighted, table.count(level, slot: slot) { continue }
      addOne(level, variances.isEmpty ? nil : variances[row], slot)
    }
  }

  private mutating func addOne(_ level: Float, _ variance: Float?, _ slot: Int32) {
    if slot == Exclusion.otherSeries.rawValue { return }
    if level.isNaN { return exclude(.noLevel) }
    if let reason = Exclusion(rawValue: slot) { return exclude(reason) }
    var sum = Sum(count: 1, weight: 1)
    if isWeighted {
      guard let variance, variance > 0, variance.isFinite else { return exclude(.noVariance) }
      sum.weight = 1 / Double(variance)
    }
    follow(slot, level)
    take(Occurrence(slot: slot, level: isRounding ? rounded(level) : level), sum)
    if !isRounding, occurrences.count > exactOccurrences {
      isRounding = true
      let exact = occurrences
      occurrences = [:]
      for (one, sum) in exact { take(Occurrence(slot: one.slot, level: rounded(one.level)), sum) }
    }
  }

  /// Sums the difference of a reading on a walk from the one before.
  private mutating func follow(_ slot: Int32, _ level: Float) {
    let index = Int(slot) - LevelHistogram.slotLimit
    guard index >= 0, let walk = sparseSlots[index].walk else { return }
    let difference = Double(level - walkLevels[walk])
    walkLevels[walk] = level
    guard !difference.isNaN else { return }
    sparseSlots[index].pairs += 1
    sparseSlots[index].squaredDifferences += difference * difference
  }

  private mutating func take(_ one: Occurrence, _ sum: Sum) {
    occurrences[one, default: Sum()].count += sum.count
    occurrences[one, default: Sum()].weight += sum.weight
  }

  private mutating func exclude(_ reason: Exclusion) {
    excludedCounts[Int(-reason.rawValue)] += 1
  }

  /// Readings left out, by reason.
  package func excluded(_ reason: Exclusion) -> Int { excludedCounts[Int(-reason.rawValue)] }

  /// The stations where something was heard, in order.
  package func heardStations() -> [Station] {
    var heard = stations
    for (number, slot) in denseSlots.enumerated() {
      heard[slot.station].levels += table.levels(ofSlot: number, channel: slot.channel)
      heard[slot.station].succession =
        heard[slot.station].succession + table.succession(ofSlot: number)
    }
    for slot in sparseSlots where slot.pairs > 0 {
      var walked = Succession()
      (walked.pairs, walked.squaredDifferences) = (slot.pairs, slot.squaredDifferences)
      heard[slot.station].succession = heard[slot.station].succession + walked
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
