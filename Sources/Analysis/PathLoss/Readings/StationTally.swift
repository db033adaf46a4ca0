/// A counter of levels per station, in memory that does not grow with the readings.
///
/// A **slot** is a station with a channel; the caller determines it once per stay and passes blocks
/// of levels with their slots. Whole levels of stays are counted in a dense table; fractional
/// levels, and the many short stations of a walk, in a sparse one. Fractional levels are exact up
/// to two million distinct values, and then all are rounded to 0.01 dB.
package struct StationTally: Sendable {
  /// The reason why a reading has no slot.
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
    /// The number of the link on this channel, for a walk.
    var walk: Int?
    /// The number of differences from the previous reading on that walk.
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

  /// The number of distinct fractional levels, or levels of walks, above which they are rounded.
  private let exactOccurrences: Int
  private let isWeighted: Bool
  private var stationNumbers: [Station.Key: Int] = [:]
  private var stations: [Station] = []
  private var walkStations = 0
  private var denseSlots: [Slot] = []
  private var sparseSlots: [Slot] = []
  private var slotNumbers: [Int: Int32] = [:]
  private var walkNumbers: [Walk: Int] = [:]
  /// The latest level by walk; NaN before the first.
  private var walkLevels: [Float] = []
  private var table = LevelHistogram()
  private var occurrences: [Occurrence: Sum] = [:]
  private var isRounding = false
  private var excludedCounts = [Int](repeating: 0, count: Exclusion.allCases.count + 1)

  /// - Parameters:
  ///   - isWeighted: A Boolean value that is true if each reading is weighted by the inverse of its
  ///     variance.
  ///   - exactOccurrences: The number of distinct fractional levels, or levels of walks, that are
  ///     kept exactly.
  package init(isWeighted: Bool = false, exactOccurrences: Int = 2_000_000) {
    self.isWeighted = isWeighted
    self.exactOccurrences = exactOccurrences
  }

  /// A Boolean value that is true if there are so many stations of walks that further distances
  /// must be rounded.
  package var roundsWalks: Bool { walkStations > exactWalkStations }

  /// Returns the number of a station, which is added if it is new.
  package mutating func number(of station: Station) -> Int {
    if let known = stationNumbers[station.key] { return known }
    stationNumbers[station.key] = stations.count
    stations.append(station)
    if station.walk != nil { walkStations += 1 }
    return stations.count - 1
  }

  /// Extends the duration of a station's stay to a range of times, in nanoseconds since the Unix
  /// epoch.
  package mutating func extend(station: Int, over span: ClosedRange<Int64>) {
    let had = stations[station].span ?? span
    stations[station].span =
      min(span.lowerBound, had.lowerBound)...max(span.upperBound, had.upperBound)
  }

  /// Sets the visit of the moving node to the place of a station.
  package mutating func set(_ visit: Visit, ofStation station: Int) {
    stations[station].visit = visit
  }

  /// Returns the slot of a station and a channel.
  ///
  /// - Parameters:
  ///   - channel: 37, 38 or 39; any other is unknown.
  ///   - isStay: A Boolean value that is true if many readings will come; a walk's stations get
  ///     few.
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

  /// Counts a block if it contains only whole levels of stays.
  ///
  /// It takes about three nanoseconds per reading: levels are converted to table indices in loops
  /// without branches before they are counted.
  ///
  /// - Parameters:
  ///   - levels: The levels in dBm.
  ///   - keys: The index in `slots` of each reading.
  ///   - slots: The slots; negative for none.
  /// - Returns: A Boolean value that is true if the block was counted; otherwise nothing was, and
  ///   the caller must use `add`.
  package mutating func addStays(
    levels: Span<Float>, keys: Span<UInt32>, slots: Span<Int32>
  ) -> Bool {
    !isWeighted && table.count(levels, keys, slots)
  }

  /// Returns the station of a slot, without its levels.
  package func station(ofSlot number: Int32) -> Station { stations[slot(number).station] }

  /// Counts a block of readings of any kind.
  ///
  /// - Parameters:
  ///   - levels: The levels in dBm; NaN for missing.
  ///   - variances: The variances in dB², one per reading, for weighted readings; else empty.
  ///   - slots: The slot of each reading, or the raw value of an `Exclusion`.
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

  /// Adds the difference between a reading on a walk and the previous one.
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

  /// Returns the number of excluded readings, by reason.
  package func excluded(_ reason: Exclusion) -> Int { excludedCounts[Int(-reason.rawValue)] }

  /// Returns the stations with readings, in order.
  ///
  /// - Parameter andSilent: A Boolean value that is true if the list includes the stations of
  ///   visits without readings.
  package func heardStations(andSilent: Bool = false) -> [Station] {
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
    return merged([heard.filter { !$0.levels.isEmpty || andSilent && $0.visit != nil }])
  }
}

/// Returns a level rounded to 0.01 dB.
private func rounded(_ level: Float) -> Float {
  Float((Double(level) * 100).rounded(.toNearestOrAwayFromZero) / 100)
}
