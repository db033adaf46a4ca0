import RealModule

/// One link at one distance, and how often each level was heard there: all that a fit needs to know
/// of its packets.
package struct Station: Equatable, Sendable {
  package var beacon: String
  package var receiver: String
  /// The group of readings that belong together, such as one measurement on a bench; a trace is a
  /// recording, which may have several.
  package var series: String
  /// Shows positions apart; stations of one position share what shadows it.
  package var position: UInt64
  /// Metres, at least ``nearest``.
  package var distance: Double
  /// How the distance of a walk is stated; nil where both ends stood.
  package var walk: WalkedDistance?
  /// Walls between the two ends, by kind; nil where the places of the ends are not known.
  package var walls: [String: Int]?
  /// What walls whose loss is known take off, dB.
  package var knownLoss = 0.0
  /// First and last reading of a stay, nanoseconds since the Unix epoch; nil where there was no
  /// stay.
  package var span: ClosedRange<Int64>?
  /// In ascending order of level, then channel; no two the same.
  package var levels: [LevelCount]
  package var succession: Succession

  package init(
    beacon: String, receiver: String, series: String, position: UInt64, distance: Double,
    walk: WalkedDistance? = nil, walls: [String: Int]? = nil, span: ClosedRange<Int64>? = nil,
    levels: [LevelCount] = [],
    succession: Succession = Succession()
  ) {
    self.beacon = beacon
    self.receiver = receiver
    self.series = series
    self.position = position
    self.distance = distance
    self.walk = walk
    self.walls = walls
    self.span = span
    self.levels = levels
    self.succession = succession
  }

  /// The shortest distance that is fitted, in metres.
  ///
  /// Nearer than a centimetre antennas touch, and the logarithm of a distance that rounding made,
  /// such as 1e-12 m, would outweigh all other readings.
  package static let nearest = 0.01

  /// Readings.
  package var samples: Int { levels.reduce(0) { $0 + $1.count } }

  /// Mean level, dBm; NaN where nothing was heard.
  package var meanLevel: Double {
    levels.reduce(0) { $0 + $1.level * Double($1.count) } / Double(samples)
  }
}

extension Station {
  /// Sum of the squared distances of readings from their mean level, dB².
  var squaresWithin: Double {
    let mean = meanLevel
    return levels.reduce(0) {
      $0 + Double($1.count) * ($1.level - mean) * ($1.level - mean)
    }
  }
}

/// Numbers from 0, in order of first appearance.
func numbers<Name: Hashable>(_ names: [Name]) -> [Name: Int] {
  names.reduce(into: [:]) { numbers, name in
    if numbers[name] == nil { numbers[name] = numbers.count }
  }
}

/// How the distance of a packet that was received on a walk is stated.
package enum WalkedDistance: String, Codable, Sendable {
  case exact
  /// To a thousandth of a decade, 0.2 %: a long walk is then a bounded number of stations.
  case rounded
}

/// The count of one level on one channel.
public struct LevelCount: Equatable, Sendable {
  /// The level, in dBm.
  public var level: Double
  /// The advertising channel, 37, 38 or 39; 255 if it is not known.
  public var channel: UInt8
  /// The number of packets with the level.
  public var count: Int
  /// Sum of the readings' weights; the count where all weigh 1.
  public var weight: Double

  /// Creates a count of a level in dBm; the weight is the count by default.
  public init(level: Double, channel: UInt8 = 255, count: Int, weight: Double? = nil) {
    self.level = level
    self.channel = channel
    self.count = count
    self.weight = weight ?? Double(count)
  }
}

/// Sums over pairs of readings of one link that followed each other on one channel, the later of
/// which is the station's; the earlier is too, but on a walk.
package struct Succession: Equatable, Sendable {
  package var pairs = 0
  /// Sum of the squared differences, dB²; nil where an older calibration does not have it.
  package var squaredDifferences: Double? = 0
  /// Sum of the earlier levels, of the later ones, and of their products; 0 on a walk.
  package var earlier = 0.0
  package var later = 0.0
  package var products = 0.0

  package init() {}

  package static func + (a: Succession, b: Succession) -> Succession {
    var sum = a
    sum.pairs += b.pairs
    sum.earlier += b.earlier
    sum.later += b.later
    sum.products += b.products
    sum.squaredDifferences = a.squaredDifferences.flatMap { squares in
      b.squaredDifferences.map { squares + $0 }
    }
    return sum
  }

  /// The standard deviation of a packet's own error, dB: that which packets that follow each other
  /// do not share. Nil for fewer than 30 pairs.
  ///
  /// The root of half the mean squared difference (von Neumann et al., "The mean square successive
  /// difference", Ann. Math. Stat. 12, 1941): what changes slowly, as a body that turns or the
  /// shadowing along a walk, is not in it, though it is in the scatter about a mean.
  package static func deviation(of stations: [Station]) -> Double? {
    let known = stations.map(\.succession).filter { $0.squaredDifferences != nil }
    let pairs = known.reduce(0) { $0 + $1.pairs }
    guard pairs >= 30 else { return nil }
    let squares = known.reduce(0) { $0 + ($1.squaredDifferences ?? 0) }
    return (squares / Double(2 * pairs)).squareRoot()
  }
}

extension Station {
  /// What shows stations apart.
  package struct Key: Hashable, Sendable {
    package var beacon: String
    package var receiver: String
    package var series: String
    package var position: UInt64
    package var distance: Double
    package var walls: [String: Int]?
    package var knownLoss: Double

    package init(
      beacon: String, receiver: String, series: String, position: UInt64, distance: Double,
      walls: [String: Int]? = nil, knownLoss: Double = 0
    ) {
      self.beacon = beacon
      self.receiver = receiver
      self.series = series
      self.position = position
      self.distance = distance
      self.walls = walls
      self.knownLoss = knownLoss
    }
  }

  package var key: Key {
    Key(
      beacon: beacon, receiver: receiver, series: series, position: position, distance: distance,
      walls: walls, knownLoss: knownLoss)
  }

  /// Returns whether one comes before the other in every list of stations, so that sums have one
  /// order.
  package static func precedes(_ a: Station, _ b: Station) -> Bool {
    if a.series != b.series { return a.series < b.series }
    if a.beacon != b.beacon { return a.beacon < b.beacon }
    if a.receiver != b.receiver { return a.receiver < b.receiver }
    if a.distance != b.distance { return a.distance < b.distance }
    if a.position != b.position { return a.position < b.position }
    if a.wallCounts != b.wallCounts { return a.wallCounts.lexicographicallyPrecedes(b.wallCounts) }
    return a.knownLoss < b.knownLoss
  }

  /// Takes the distance to a thousandth of a decade.
  package mutating func roundDistance() {
    walk = .rounded
    distance = Double.exp10((Double.log10(distance) * 1000).rounded() / 1000)
  }

  private var wallCounts: [Int] {
    (walls ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The same station heard in two parts: counts add up, exactly.
  package func merged(with other: Station) -> Station {
    var result = self
    result.levels = LevelCount.merged(levels + other.levels)
    result.succession = succession + other.succession
    if let span, let another = other.span {
      result.span =
        min(span.lowerBound, another.lowerBound)...max(span.upperBound, another.upperBound)
    } else {
      result.span = nil
    }
    return result
  }
}

extension LevelCount {
  /// The counts in order, those of one level and channel as one.
  static func merged(_ counts: [LevelCount]) -> [LevelCount] {
    let isOrdered = zip(counts, counts.dropFirst()).allSatisfy {
      ($0.level, $0.channel) < ($1.level, $1.channel)
    }
    if isOrdered { return counts }
    var result: [LevelCount] = []
    for one in counts.sorted(by: { ($0.level, $0.channel) < ($1.level, $1.channel) }) {
      if let last = result.last, last.level == one.level, last.channel == one.channel {
        result[result.count - 1].count += one.count
        result[result.count - 1].weight += one.weight
      } else {
        result.append(one)
      }
    }
    return result
  }
}

/// How many stations of walks there are before their distances are rounded.
package let exactWalkStations = 20_000

/// The stations of several recordings as one list, in order.
///
/// Distances of walks are rounded, in all of them, where some are already or there are very many;
/// so parts give what the whole would have given.
package func merged(_ lists: [[Station]]) -> [Station] {
  let all = merged(lists, rounding: false)
  let isRounded = all.contains { $0.walk == .rounded }
  guard isRounded || all.count(where: { $0.walk != nil }) > exactWalkStations else { return all }
  return merged([all], rounding: true)
}

private func merged(_ lists: [[Station]], rounding: Bool) -> [Station] {
  var places: [Station.Key: Int] = [:]
  var result: [Station] = []
  for var station in lists.joined() {
    if rounding, station.walk != nil { station.roundDistance() }
    if let place = places[station.key] {
      result[place] = result[place].merged(with: station)
    } else {
      places[station.key] = result.count
      result.append(station)
    }
  }
  return result.sorted(by: Station.precedes)
}
