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
    /// First of 128 places in the table of whole levels, or nil in the table of what occurred.
    var dense: Int?
  }

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
    var first: Int32 = 0
    var last: Int32 = 0
    var count = 0
    var products = 0
  }

  /// Different levels with fractions, or of walks, from which on they are rounded.
  private let exactOccurrences: Int
  private let isWeighted: Bool
  private var stationNumbers: [Station.Key: Int] = [:]
  private var stations: [Station] = []
  private var walkStations = 0
  private var slots: [Slot] = []
  private var slotNumbers: [Int: Int32] = [:]
  /// How often −0, −1, … −127 dBm occurred, 128 places a slot.
  private var table: [Int] = []
  private var chains: [Chain] = []
  /// By slot, the number of its part of `table` and `chains`, or −1.
  private var denseOf: [Int32] = []
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
    let slot = Int32(slots.count)
    slotNumbers[key] = slot
    let isDense = isStay && !isWeighted
    slots.append(
      Slot(station: station, channel: known ? channel : 255, dense: isDense ? table.count : nil))
    denseOf.append(isDense ? Int32(chains.count) : -1)
    if isDense {
      table.append(contentsOf: repeatElement(0, count: 128))
      chains.append(Chain())
    }
    return slot
  }

  /// The station of a slot, without its levels.
  public func station(ofSlot slot: Int32) -> Station { stations[slots[Int(slot)].station] }

  /// Counts a block of readings.
  ///
  /// - Parameters:
  ///   - levels: dBm; NaN = not available.
  ///   - variances: dB², one a reading, where readings are weighted; else empty.
  ///   - places: the slot of each reading, or the raw value of an `Exclusion`.
  public mutating func add(levels: [Float], variances: [Float] = [], slots places: [Int32]) {
    // Out of self, so that the loop keeps their addresses in registers.
    var table: [Int] = []
    var chains: [Chain] = []
    swap(&table, &self.table)
    swap(&chains, &self.chains)
    let denseOf = self.denseOf
    for row in levels.indices {
      let level = levels[row]
      let slot = places[row]
      if level < 0, level > -128, slot >= 0 {
        let whole = Int32(-level)
        let dense = denseOf[Int(slot)]
        if Float(whole) == -level, whole > 0, dense >= 0 {
          table[Int(dense) << 7 | Int(whole)] += 1
          chains[Int(dense)].products += Int(whole &* chains[Int(dense)].last)
          if chains[Int(dense)].count == 0 { chains[Int(dense)].first = whole }
          chains[Int(dense)].last = whole
          chains[Int(dense)].count += 1
          continue
        }
      }
      addOne(level, variances.isEmpty ? nil : variances[row], slot)
    }
    swap(&table, &self.table)
    swap(&chains, &self.chains)
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
    for (index, slot) in slots.enumerated() {
      guard let dense = slot.dense else { continue }
      for whole in 1..<128 where table[dense + whole] > 0 {
        heard[slot.station].levels.append(
          LevelCount(level: -Double(whole), channel: slot.channel, count: table[dense + whole]))
      }
      let chain = chains[Int(denseOf[index])]
      guard chain.count > 1 else { continue }
      let total = (1..<128).reduce(0) { $0 + $1 * table[dense + $1] }
      var succession = Succession()
      succession.pairs = chain.count - 1
      succession.earlier = -Double(total - Int(chain.last))
      succession.later = -Double(total - Int(chain.first))
      succession.products = Double(chain.products)
      heard[slot.station].succession = heard[slot.station].succession + succession
    }
    for (one, sum) in occurrences {
      let slot = slots[Int(one.slot)]
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
