package import Support

/// The histograms of levels of each link of one input, which reveal a missing sign, and fillers.
///
/// All of the first 65,536 rows are counted, then runs of 1,024 of every 16,384 with the weight 16,
/// so a row costs a nanosecond; blocks with numbers above 0 are counted completely.
package struct LevelCensus: Sendable {
  /// The range -128 to 255: a signed byte that was read as unsigned is above 127.
  private static let bins = -128...255
  private static let mostLinks = 2048
  private static let exactRows = 65_536
  private static let (run, period) = (1024, 16_384)
  /// The numbers above all levels that programs write for "not received".
  private static let sentinels: Set<Int> = [99, 100, 110, 120, 127, 128, 200, 255]

  /// The number of a link from 1, by a hash of the link; 0 for none.
  private var places: [UInt16] = []
  private var links: [UInt64] = []
  /// The counts by link and level.
  private var counts: [UInt32] = []
  private var rows = 0
  private var hasPositive = false
  /// A Boolean value that is true if each level was counted.
  private var isExact = true
  package private(set) var missing = MissingLevels()
  /// The number of rows at which a live source is checked again.
  private var due = 20

  package init() {}

  /// Returns a Boolean value that is true if a live source must be checked: it has numbers above 0,
  /// and twice the rows of the last time.
  mutating func isDue() -> Bool {
    guard hasPositive, rows >= due else { return false }
    due = 2 * rows
    return true
  }

  /// Counts the numbers of rows, and replaces those that are not levels with NaN.
  ///
  /// - Parameter first: The first new row.
  package mutating func admit(_ block: inout SightingColumns, from first: Int = 0) {
    let count = block.rssi.count
    guard first < count else { return }
    let found = Self.counts(block.rssi.span.extracting(first..<count))
    if block.beacon.count == count { take(block, first..<count, isWhole: found.positive > 0) }
    missing.zeros += UInt64(found.zeros)
    missing.outside += UInt64(found.outside)
    guard found.zeros + found.outside > 0 else { return }
    for row in first..<count { block.rssi[row] = level(block.rssi[row]) }
  }

  /// Counts the numbers that are above 0, exactly 0, and outside the range of levels.
  ///
  /// In 32 bits and without branches, so that the processor compares several at once.
  private static func counts(
    _ numbers: Span<Float>
  ) -> (positive: Int32, zeros: Int32, outside: Int32) {
    var (positive, zeros, outside) = (Int32(0), Int32(0), Int32(0))
    for index in numbers.indices {
      let number = numbers[index]
      positive &+= number > 0 ? 1 : 0
      zeros &+= number == 0 ? 1 : 0
      outside &+= number > 20 ? 1 : 0
      outside &+= number < -127 ? 1 : 0
    }
    return (positive, zeros, outside)
  }

  private mutating func take(_ block: borrowing SightingColumns, _ new: Range<Int>, isWhole: Bool) {
    hasPositive = hasPositive || isWhole
    var row = new.lowerBound
    while row < new.upperBound {
      let place = rows % Self.period
      let left = new.upperBound - row
      if isWhole || rows < Self.exactRows || place < Self.run {
        let isSampled = !isWhole && rows >= Self.exactRows
        let most =
          isWhole ? left : isSampled ? Self.run - place : Self.exactRows - rows
        let taken = min(left, most)
        count(block, row..<row + taken, weight: isSampled ? UInt32(Self.period / Self.run) : 1)
        (row, rows) = (row + taken, rows + taken)
      } else {
        let passed = min(left, Self.period - place)
        (row, rows) = (row + passed, rows + passed)
        isExact = false
      }
    }
  }

  private mutating func count(
    _ block: borrowing SightingColumns, _ part: Range<Int>, weight: UInt32
  ) {
    var (key, base) = (UInt64.max, -1)
    for row in part {
      let number = block.rssi[row]
      guard number >= -127, number <= 255, number != 0 else { continue }
      let link = UInt64(block.beacon[row]) << 16 | UInt64(block.receiver[row])
      if link != key { (key, base) = (link, place(of: link)) }
      guard base >= 0 else { continue }
      // Rounded half up: the value is positive, so truncation rounds down.
      counts[base + Int(number + 128.5)] &+= weight
    }
  }

  /// Returns the start of the counts of a link, or -1 if there is no room for them.
  private mutating func place(of link: UInt64) -> Int {
    if places.isEmpty { places = Array(repeating: 0, count: 2 * Self.mostLinks) }
    var place = Int((link &* 0x9E37_79B9_7F4A_7C15) >> 52)
    while places[place] != 0 {
      let number = Int(places[place]) - 1
      if links[number] == link { return number * Self.bins.count }
      place = (place + 1) % places.count
    }
    guard links.count < Self.mostLinks else { return -1 }
    links.append(link)
    places[place] = UInt16(links.count)
    counts.append(contentsOf: repeatElement(0, count: Self.bins.count))
    return (links.count - 1) * Self.bins.count
  }

  /// The counts of each level in dBm, per link.
  private var histograms: [[(level: Int, count: Int)]] {
    links.indices.map { link in
      counts[link * Self.bins.count..<(link + 1) * Self.bins.count].enumerated()
        .compactMap { bin, count in
          count > 0 ? (bin + Self.bins.lowerBound, Int(count)) : nil
        }
    }
  }

  /// Returns the values that stand for no level: at least a tenth of all numbers above 20.
  private func sentinels(of histograms: [[(level: Int, count: Int)]]) -> Set<Int> {
    var above: [Int: Int] = [:]
    for one in histograms.joined() where one.level > 20 {
      above[one.level, default: 0] += one.count
    }
    let total = above.values.reduce(0, +)
    return Self.sentinels.filter { $0 == 127 || above[$0, default: 0] * 10 > total }
  }

  /// The probable reason if over half of a link's levels, or of all, are above 0 dBm.
  package var positiveLevels: (problem: String, advice: String)? {
    guard hasPositive else { return nil }
    let histograms = histograms
    let sentinels = sentinels(of: histograms)
    var (positive, total, unsigned, isOfLink) = (0, 0, 0, false)
    for histogram in histograms {
      var (above, all) = (0, 0)
      for one in histogram where !sentinels.contains(one.level) {
        all += one.count
        if one.level > 0 { above += one.count }
        if one.level > 127 { unsigned += one.count }
      }
      isOfLink = isOfLink || all >= 3 && above * 2 > all
      (positive, total) = (positive + above, total + all)
    }
    guard positive * 2 > total || isOfLink else { return nil }
    return (
      "\(positive == total ? "all \(total)" : "\(positive) of \(total)") levels are above 0 dBm"
        + (positive * 2 > total ? "" : ", over half of those of a link")
        + " (positive): a forgotten sign?",
      unsigned * 2 > positive
        ? "they look like signed bytes read as unsigned: subtract 256, so that 196 becomes -60"
        : "write dBm with their sign, so that 60 becomes -60; percentages and other units are not "
          + "levels"
    )
  }

  /// Returns sentences for users about an input whose levels were all checked.
  ///
  /// - Throws: `.badInput` if over half of a link's levels are above 0 dBm.
  package func notes(of path: String) throws(RSSIError) -> [String] {
    if let (problem, advice) = positiveLevels {
      throw RSSIError(.badInput, problem, in: path, advice: advice)
    }
    var notes: [String] = []
    if missing.zeros > 0 {
      notes.append("\(path): no level in \(missing.zeros) × rssi-zero (exactly 0 dBm)")
    }
    if missing.outside > 0 {
      notes.append(
        "\(path): no level in \(missing.outside) × rssi-out-of-range (outside -127 to 20 dBm)")
    }
    let levels = histograms.map { $0.filter { $0.level <= 20 } }
    notes += FillerLevel.find(in: levels).map {
      "warning: \(path): \(isExact ? "" : "about ")\($0.words); if they stand for \"not heard\", read it with `notHeard` "
        + "\($0.level)"
    }
    return notes
  }
}

/// Returns the level in dBm that a number stands for, or NaN: the rule for every stage and source.
///
/// HCI defines -127 to 20 dBm and 127 for "not available" (Bluetooth Core Specification 5.4, volume
/// 4, part E, section 7.7.65.2); anything outside, such as the 100 that some apps log for "not
/// received", is not a level. Neither is exactly 0: iOS, gateways and sniffers write it if they
/// have no measurement, and no receiver at a distance measures it.
package func level(_ rssi: Float) -> Float {
  rssi >= -127 && rssi <= 20 && rssi != 0 ? rssi : .nan
}

/// The numbers of a source that are not levels, by reason.
package struct MissingLevels: Sendable {
  /// The count of exactly 0 dBm.
  package var zeros: UInt64 = 0
  /// The count of numbers outside -127 to 20 dBm.
  package var outside: UInt64 = 0

  static func + (a: MissingLevels, b: MissingLevels) -> MissingLevels {
    MissingLevels(zeros: a.zeros + b.zeros, outside: a.outside + b.outside)
  }

  /// The counts by reason, as a trace stores them.
  package var rejected: [Rejected] {
    [
      Rejected(reason: Rejected.zeroLevel, count: zeros),
      Rejected(reason: Rejected.levelOutside, count: outside),
    ].filter { $0.count > 0 }
  }
}
