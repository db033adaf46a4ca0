/// A block of levels in a chain of filters, with one array per column.
///
/// All arrays have the same length. Reuse a block with `removeAll`: appending then allocates
/// nothing.
public struct LevelRows: Sendable {
  /// The caller's own number of each sighting, which identifies the result.
  public var row: [Int] = []
  /// The chain's number of each link.
  public var link: [Int32] = []
  /// The time of reception of each level, in nanoseconds since the Unix epoch.
  public var time: [Int64] = []
  /// The level, in dBm; NaN if the sighting has none.
  public var rssi: [Double] = []
  /// The variance of the level, in dB²; NaN if there is none.
  public var variance: [Double] = []
  /// The advertising channel, 37 to 39; 255 if it is not known.
  public var channel: [UInt8] = []
  /// A Boolean value that is true if the link's filters restart with this level; set by the chain.
  var starts: [Bool] = []

  /// Creates an empty block.
  public init() {}

  /// The number of rows.
  public var count: Int { row.count }

  /// Appends a level in dBm, without a variance, at a time in nanoseconds.
  public mutating func append(row: Int, link: Int, time: Int64, rssi: Double, channel: UInt8) {
    self.row.append(row)
    self.link.append(Int32(truncatingIfNeeded: link))
    self.time.append(time)
    self.rssi.append(rssi)
    variance.append(.nan)
    self.channel.append(channel)
    starts.append(false)
  }

  /// Replaces the rows by levels without a variance, column by column, which is faster than row by
  /// row.
  ///
  /// - Parameters:
  ///   - first: The number of the first sighting; the others follow.
  ///   - links: The numbers of the links.
  ///   - times: The times in nanoseconds.
  ///   - rssi: The levels in dBm.
  ///   - channels: The channels.
  package mutating func replaceAll(
    first: Int, links: [Int32], times: [Int64], rssi levels: [Float], channels: [UInt8]
  ) {
    removeAll()
    row.append(contentsOf: first..<first + links.count)
    link.append(contentsOf: links)
    time.append(contentsOf: times)
    rssi.append(contentsOf: levels.lazy.map(Double.init))
    variance.append(contentsOf: repeatElement(.nan, count: links.count))
    channel.append(contentsOf: channels)
    starts.append(contentsOf: repeatElement(false, count: links.count))
  }

  /// Appends a filtered level.
  mutating func append(
    row: Int, link: Int, time: Int64, _ level: FilteredLevel, _ channel: UInt8, _ starts: Bool
  ) {
    append(row: row, link: link, time: time, rssi: level.rssi, channel: channel)
    variance[variance.count - 1] = level.variance
    self.starts[self.starts.count - 1] = starts
  }

  mutating func append(contentsOf other: LevelRows) {
    row.append(contentsOf: other.row)
    link.append(contentsOf: other.link)
    time.append(contentsOf: other.time)
    rssi.append(contentsOf: other.rssi)
    variance.append(contentsOf: other.variance)
    channel.append(contentsOf: other.channel)
    starts.append(contentsOf: other.starts)
  }

  /// Empties the block but keeps its memory.
  public mutating func removeAll() {
    row.removeAll(keepingCapacity: true)
    link.removeAll(keepingCapacity: true)
    time.removeAll(keepingCapacity: true)
    rssi.removeAll(keepingCapacity: true)
    variance.removeAll(keepingCapacity: true)
    channel.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }
}

/// The level that a filter returns for one sighting.
public struct FilteredLevel: Equatable, Sendable {
  /// The filtered level, in dBm.
  public var rssi: Double
  /// The variance of the level in dB²; NaN for a filter without an error model.
  public var variance: Double

  /// Creates a level in dBm with its variance in dB².
  public init(rssi: Double, variance: Double) {
    self.rssi = rssi
    self.variance = variance
  }
}

/// A change of the level of a link at rest: its beacon was moved, or an obstacle appeared.
public struct LevelChange: Equatable, Sendable {
  /// The number of the change, from 1, per link.
  public var number: Int
  /// The previous level at rest, in dBm.
  public var previousRSSI: Double
}
