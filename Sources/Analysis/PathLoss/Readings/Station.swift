import RealModule

/// One link at one distance, with the counts of its levels: the sufficient statistics of a fit.
package struct Station: Equatable, Sendable {
  package var beacon: String
  package var receiver: String
  /// The group of readings that belong together, such as one measurement on a bench; a recording
  /// may have several.
  package var series: String
  /// An identifier of the position; stations of one position share their shadowing.
  package var position: UInt64
  /// The place of the moving node in whole metres of x, y and z, with 0 for an unknown height;
  /// `nil` if only the distance is known.
  package var cell: SIMD3<Int32>?
  /// The corner of the 4 m square, or cube, with that place.
  var area: SIMD3<Int32>? { cell.map { $0 & ~3 } }
  /// The name of the pose of a stay; empty if it has none.
  package var pose = ""
  /// The distance in metres, at least ``nearest``.
  package var distance: Double
  /// The precision of a distance on a walk; `nil` if both ends stood still.
  package var walk: WalkedDistance?
  /// The number of walls between the two ends, by kind; `nil` if the places of the ends are
  /// unknown.
  package var walls: [String: Int]?
  /// The loss of walls with known attenuation, in dB.
  package var knownLoss = 0.0
  /// The times of the first and the last reading of a stay, in nanoseconds since the Unix epoch;
  /// `nil` without a stay.
  package var span: ClosedRange<Int64>?
  /// The time of the moving node at the place of a station, if it stood there; `nil` for a stay on
  /// a bench.
  package var visit: Visit?
  /// The counts in ascending order of level, then channel, without duplicates.
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

  /// The shortest fitted distance, in metres.
  ///
  /// Nearer than a centimetre antennas touch, and the logarithm of a rounding error, such as 1e-12
  /// m, would outweigh all other readings.
  package static let nearest = 0.01

  /// The number of readings.
  package var samples: Int { levels.reduce(0) { $0 + $1.count } }

  /// The mean level in dBm; NaN without readings.
  package var meanLevel: Double {
    levels.reduce(0) { $0 + $1.level * Double($1.count) } / Double(samples)
  }
}

extension Station {
  /// The sum of the squared deviations of readings from their mean level, in dB².
  var squaresWithin: Double {
    let mean = meanLevel
    return levels.reduce(0) {
      $0 + Double($1.count) * ($1.level - mean) * ($1.level - mean)
    }
  }
}

/// Returns numbers from 0, in order of first appearance.
func numbers<Name: Hashable>(_ names: [Name]) -> [Name: Int] {
  names.reduce(into: [:]) { numbers, name in
    if numbers[name] == nil { numbers[name] = numbers.count }
  }
}

/// The precision of the distance of a packet received on a walk.
package enum WalkedDistance: String, Codable, Sendable {
  case exact
  /// Rounded to a thousandth of a decade, 0.2 %, which bounds the number of stations of a long
  /// walk.
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
  /// The sum of the readings' weights; the count if all weights are 1.
  public var weight: Double

  /// Creates a count of a level in dBm; the weight is the count by default.
  public init(level: Double, channel: UInt8 = 255, count: Int, weight: Double? = nil) {
    self.level = level
    self.channel = channel
    self.count = count
    self.weight = weight ?? Double(count)
  }
}

/// Sums over pairs of successive readings of one link on one channel. The later reading is the
/// station's; so is the earlier, except on a walk.
package struct Succession: Equatable, Sendable {
  package var pairs = 0
  /// The sum of the squared differences in dB²; `nil` in older calibrations.
  package var squaredDifferences: Double? = 0
  /// The sums of the earlier levels, of the later ones, and of their products; 0 on a walk.
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

  /// Returns the standard deviation of a packet's own error, in dB, which successive packets do not
  /// share, or `nil` for fewer than 30 pairs.
  ///
  /// The root of half the mean squared difference (von Neumann et al., "The mean square successive
  /// difference", Ann. Math. Stat. 12, 1941). Unlike the scatter about a mean, it excludes slow
  /// changes, such as a turning body or the shadowing along a walk.
  package static func deviation(of stations: [Station]) -> Double? {
    let known = stations.map(\.succession).filter { $0.squaredDifferences != nil }
    let pairs = known.reduce(0) { $0 + $1.pairs }
    guard pairs >= 30 else { return nil }
    let squares = known.reduce(0) { $0 + ($1.squaredDifferences ?? 0) }
    return (squares / Double(2 * pairs)).squareRoot()
  }
}

extension Station {
  /// The identity of a station.
  package struct Key: Hashable, Sendable {
    package var beacon: String
    package var receiver: String
    package var series: String
    package var position: UInt64
    package var distance: Double
    package var walls: [String: Int]?
    package var knownLoss: Double
    package var cell: SIMD3<Int32>?

    package init(
      beacon: String, receiver: String, series: String, position: UInt64, distance: Double,
      walls: [String: Int]? = nil, knownLoss: Double = 0, cell: SIMD3<Int32>? = nil
    ) {
      self.beacon = beacon
      self.receiver = receiver
      self.series = series
      self.position = position
      self.distance = distance
      self.walls = walls
      self.knownLoss = knownLoss
      self.cell = cell
    }
  }

  package var key: Key {
    Key(
      beacon: beacon, receiver: receiver, series: series, position: position, distance: distance,
      walls: walls, knownLoss: knownLoss, cell: cell)
  }

  /// Returns a Boolean value that is true if one station precedes the other in every list, which
  /// gives sums one order.
  package static func precedes(_ a: Station, _ b: Station) -> Bool {
    if a.series != b.series { return a.series < b.series }
    if a.beacon != b.beacon { return a.beacon < b.beacon }
    if a.receiver != b.receiver { return a.receiver < b.receiver }
    if a.distance != b.distance { return a.distance < b.distance }
    if a.position != b.position { return a.position < b.position }
    if a.wallCounts != b.wallCounts { return a.wallCounts.lexicographicallyPrecedes(b.wallCounts) }
    if a.knownLoss != b.knownLoss { return a.knownLoss < b.knownLoss }
    return a.cellNumbers.lexicographicallyPrecedes(b.cellNumbers)
  }

  /// Rounds the distance to a thousandth of a decade, and the place to an area of 4 m.
  package mutating func roundDistance() {
    walk = .rounded
    cell = area
    distance = Double.exp10((Double.log10(distance) * 1000).rounded() / 1000)
  }

  private var wallCounts: [Int] {
    (walls ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  private var cellNumbers: [Int32] { cell.map { [$0.x, $0.y, $0.z] } ?? [] }

  /// Returns the sum of two parts of the same station; counts add up exactly.
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
    result.visit = visit.flatMap { visit in other.visit.map { visit + $0 } }
    return result
  }
}

extension LevelCount {
  /// Returns the counts in order, with those of the same level and channel combined.
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

/// The number of stations of walks above which their distances are rounded.
package let exactWalkStations = 20_000

/// Returns the stations of several recordings as one list, in order.
///
/// Distances of walks are rounded in all of them if some are already or there are very many, so
/// that parts give the same result as the whole.
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
