import NumericalMethods

/// A sample of the levels of a recording with their times and links, in bounded memory, to
/// recognise its readings in another recording.
///
/// Time is divided into cells of 256 ms, which are kept or dropped as a whole, by a hash of their
/// number. Whenever the readings exceed the capacity, half of the cells are dropped. Two samples
/// therefore keep the same cells, and the sample of several recordings is that of all their
/// readings in any order. A link is stored as a hash of the names of its nodes.
///
/// ```swift
/// var sample = ReadingSample(capacity: 1024)
/// let link = ReadingSample.link(beacon: ReadingSample.hash("b1"), receiver: ReadingSample.hash("r1"))
/// sample.add(time: 1_700_000_000_000_000_000, level: -60, link: link)
/// ```
package struct ReadingSample: Equatable, Sendable {
  /// One level at one instant.
  package struct Reading: Hashable, Comparable, Sendable {
    /// The time, in milliseconds since the Unix epoch.
    package var time: Int64
    /// The level, in dBm.
    package var level: Float
    /// The hash of the link; 0 if it is not known.
    package var link: UInt32

    package static func < (a: Reading, b: Reading) -> Bool {
      (a.time, a.level, a.link) < (b.time, b.level, b.link)
    }
  }

  /// The largest number of readings.
  package let capacity: Int
  /// The number of halvings of the cells; 0 if every reading is kept.
  package private(set) var halvings = 0
  /// The readings in order of time, and of level at one time, after `sort()`.
  package private(set) var readings: [Reading] = []

  /// The start in nanoseconds of the cell of the latest reading, followed by a flag that it is
  /// kept; they let nearly all readings of a long recording be skipped quickly.
  private var cellStart = Int64.min
  private var keepsCell = false

  package init(capacity: Int) { self.capacity = capacity }

  /// Restores a stored sample.
  ///
  /// - Parameter links: The hashes of the links; `nil` for a sample of an earlier program.
  /// - Returns: `nil` for readings that no sample has.
  package init?(
    capacity: Int, halvings: Int, times: [Int64], levels: [Float], links: [UInt32]? = nil
  ) {
    guard times.count == levels.count, links.map({ $0.count == times.count }) ?? true,
      times.count <= capacity, (0...64).contains(halvings),
      levels.allSatisfy({ $0 < 0 && $0 >= -1000 }),
      times.allSatisfy({ (-.max / 1_000_000 ... .max / 1_000_000).contains($0) })
    else { return nil }
    self.init(capacity: capacity)
    self.halvings = halvings
    readings = times.indices.map {
      Reading(time: times[$0], level: levels[$0], link: links?[$0] ?? 0)
    }
    sort()
  }

  /// Returns the hash of a node's name (FNV-1a; Fowler, Noll and Vo 1991).
  package static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Returns the hash of a link, from 1 on.
  package static func link(beacon: UInt64, receiver: UInt64) -> UInt32 {
    var mixed = SplitMix64(seed: beacon &* 3 ^ receiver)
    return max(1, UInt32(truncatingIfNeeded: mixed.next() >> 32))
  }

  package static func == (a: ReadingSample, b: ReadingSample) -> Bool {
    a.halvings == b.halvings && a.readings == b.readings
  }

  /// Adds a reading.
  ///
  /// - Parameters:
  ///   - time: The time in nanoseconds since the Unix epoch.
  ///   - level: The level in dBm; implausible levels are ignored.
  ///   - link: The hash of the link.
  package mutating func add(time: Int64, level: Float, link: @autoclosure () -> UInt32) {
    if UInt64(bitPattern: time &- cellStart) >= 256_000_000 {
      let cell = Self.milliseconds(time) >> 8
      cellStart = (cell << 8) &* 1_000_000 &- 500_000
      keepsCell = Self.rank(ofCell: cell) >= halvings
    }
    guard keepsCell, level < 0, level >= -1000 else { return }
    add(Reading(time: Self.milliseconds(time), level: level, link: link()))
  }

  private mutating func add(_ reading: Reading) {
    readings.append(reading)
    while readings.count > capacity, halvings < 64 { thin(toHalvings: halvings + 1) }
  }

  private mutating func thin(toHalvings more: Int) {
    halvings = more
    readings.removeAll { Self.rank(ofCell: $0.time >> 8) < more }
    cellStart = .min
  }

  /// Adds the readings of another sample.
  package mutating func merge(_ other: ReadingSample) {
    if other.halvings > halvings { thin(toHalvings: other.halvings) }
    for reading in other.readings where keeps(time: reading.time) { add(reading) }
  }

  package mutating func sort() { readings.sort() }

  /// Returns a Boolean value that is true if readings at a time, in milliseconds, are kept.
  package func keeps(time: Int64) -> Bool {
    halvings == 0 || Self.rank(ofCell: time >> 8) >= halvings
  }

  /// Returns the number of halvings that a cell survives.
  private static func rank(ofCell cell: Int64) -> Int {
    var hash = SplitMix64(seed: UInt64(bitPattern: cell))
    return hash.next().trailingZeroBitCount
  }

  private static func milliseconds(_ time: Int64) -> Int64 {
    Int64((Double(time) / 1e6).rounded())
  }
}

extension ReadingSample: Codable {
  /// The capacity for a calibration: enough to recognise a hundredth of the fitted readings, in
  /// about 30 kB of JSON.
  package static let capacityOfCalibration = 1024

  private enum Keys: String, CodingKey {
    case halvings
    case times = "times_ms"
    case levels = "levels_dbm"
    case links
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let times = try values.decode([Int64].self, forKey: .times)
    let levels = try values.decode([Float].self, forKey: .levels)
    let halvings = try values.decode(Int.self, forKey: .halvings)
    let links = try values.decodeIfPresent([UInt32].self, forKey: .links)
    let sample = ReadingSample(
      capacity: Self.capacityOfCalibration, halvings: halvings, times: times, levels: levels,
      links: links)
    guard let sample else {
      throw DecodingError.dataCorruptedError(
        forKey: .levels, in: values,
        debugDescription:
          "times or levels are out of range, lists differ in length, or halvings are not between 0 "
          + "and 64")
    }
    self = sample
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(halvings, forKey: .halvings)
    try values.encode(readings.map(\.time), forKey: .times)
    try values.encode(readings.map(\.level), forKey: .levels)
    if readings.contains(where: { $0.link != 0 }) {
      try values.encode(readings.map(\.link), forKey: .links)
    }
  }
}
