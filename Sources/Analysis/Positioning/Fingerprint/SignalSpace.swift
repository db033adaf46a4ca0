import Geometry

/// The levels of a survey as a dense matrix: one row per surveyed point, one column per anchor.
///
/// An anchor that was not received has the floor, 1 dB below the lowest level of the survey, and
/// lower levels are raised to it: beyond the receiver's range, a level carries no more information
/// than silence.
struct SignalSpace: Sendable {
  /// The surveyed places, in metres; unknown heights are 0.
  let places: [SpacePoint]
  /// A Boolean value that is true if every surveyed place has a height.
  let hasHeights: Bool
  /// The recording of each place.
  let traces: [Int]
  /// The column of each anchor that the survey received, by anchor number.
  private let columns: [Int: Int]
  /// The levels in dBm, row by row.
  private let levels: [Double]
  /// The level of an anchor that was not received, in dBm.
  private let floor: Double
  /// The variance of a level's own error relative to that of the common error; infinite for no
  /// common error.
  private let ownShare: Double

  /// Creates the matrix from the survey's points with plausible places and at least one plausible
  /// level, or returns `nil` if there are none.
  ///
  /// - Parameter ownShare: The variance of a level's own error relative to that of the error common
  ///   to all levels of a point.
  init?(_ survey: [SurveyPoint], ownShare: Double = .infinity) {
    var columns: [Int: Int] = [:]
    var lowest = Double.infinity
    let points = survey.filter { point in
      abs(point.place.x) <= Circle.longest && abs(point.place.y) <= Circle.longest
        && point.levels.contains { Self.occurs($0.rssi) }
    }
    for reading in points.lazy.flatMap(\.levels) where Self.occurs(reading.rssi) {
      if columns[reading.anchor] == nil { columns[reading.anchor] = columns.count }
      lowest = min(lowest, reading.rssi)
    }
    guard !points.isEmpty else { return nil }
    let floor = lowest - 1
    var levels = [Double](repeating: floor, count: points.count * columns.count)
    for (row, point) in points.enumerated() {
      for reading in point.levels where Self.occurs(reading.rssi) {
        guard let column = columns[reading.anchor] else { continue }
        levels[row * columns.count + column] = reading.rssi
      }
    }
    hasHeights = points.allSatisfy { abs($0.height ?? .nan) <= Circle.longest }
    places = points.map { [hasHeights] in SpacePoint($0.place, z: hasHeights ? $0.height ?? 0 : 0) }
    traces = points.map(\.trace)
    (self.columns, self.levels, self.floor) = (columns, levels, floor)
    self.ownShare = ownShare
  }

  var width: Int { columns.count }

  /// Returns a Boolean value that is true if a radio could report a level, in dBm.
  static func occurs(_ level: Double) -> Bool { abs(level) <= 1000 }

  /// Returns the row of some observations, or `nil` if none is of an anchor of the survey.
  func row(_ observations: [Observation]) -> [Double]? {
    var row = [Double](repeating: floor, count: width)
    var isHeard = false
    for observation in observations {
      guard let column = columns[observation.number] else { continue }
      row[column] = max(floor, observation.rssi)
      isHeard = true
    }
    return isHeard ? row : nil
  }

  /// Returns the row of a surveyed point.
  func row(of point: Int) -> [Double] { Array(levels[(point * width)..<((point + 1) * width)]) }

  /// A surveyed point with the distance of its levels.
  struct Neighbour: Equatable {
    var point: Int
    /// The root of the sum of squared differences, in dB, after removal of a common error.
    var distance: Double
  }

  /// Returns the points with the nearest levels, nearest first; ties keep the survey's order.
  ///
  /// - Parameters:
  ///   - limit: The largest number of points.
  ///   - isCandidate: A predicate that selects points.
  func nearest(
    _ limit: Int, to row: [Double], where isCandidate: (Int) -> Bool = { _ in true }
  ) -> [Neighbour] {
    var nearest: [Neighbour] = []
    nearest.reserveCapacity(limit + 1)
    for point in places.indices where isCandidate(point) {
      let sum = squaredDistance(of: point, to: row)
      // The root is taken only at the end; most points are farther than all before.
      if nearest.count == limit, let last = nearest.last, sum >= last.distance { continue }
      var place = nearest.count
      while place > 0, nearest[place - 1].distance > sum { place -= 1 }
      nearest.insert(Neighbour(point: point, distance: sum), at: place)
      if nearest.count > limit { nearest.removeLast() }
    }
    for index in nearest.indices { nearest[index].distance = nearest[index].distance.squareRoot() }
    return nearest
  }

  /// Returns the sum of squared differences r in dB, less (Σ r)² / (n + `ownShare`) over the n
  /// levels that both received: twice the cost of normal errors with a marginalised common part.
  private func squaredDistance(of point: Int, to row: [Double]) -> Double {
    var (sum, total, count) = (0.0, 0.0, 0.0)
    let start = point * width
    for column in 0..<width {
      let level = levels[start + column]
      let difference = level - row[column]
      sum += difference * difference
      // The common error does not affect silence.
      if ownShare < .infinity, level > floor, row[column] > floor {
        total += difference
        count += 1
      }
    }
    return ownShare < .infinity ? max(sum - total * total / (count + ownShare), 0) : sum
  }
}

/// The mean of the neighbours' places, weighted by similarity, with their spread.
struct NeighbourMean {
  var place: SpacePoint
  /// The weighted covariance of the neighbours' places, in m²; 0 for one neighbour.
  var spread: SymmetricMatrix3
  /// The neighbours with their shares of the weight.
  private let shares: [(point: Int, share: Double)]

  /// - Parameter neighbours: The neighbours, at least one.
  init(_ neighbours: ArraySlice<SignalSpace.Neighbour>, in space: SignalSpace) {
    let weights = neighbours.map(Self.weight)
    let total = weights.reduce(0, +)
    var place = SpacePoint(x: 0, y: 0, z: 0)
    var squares = 0.0
    for (weight, neighbour) in zip(weights, neighbours) {
      place = place + (weight / total) * space.places[neighbour.point]
      squares += (weight / total) * (weight / total)
    }
    var spread = SymmetricMatrix3()
    // The unbiased form for reliability weights (not frequency weights).
    let freedom = 1 - squares
    if freedom > 1e-12 {
      for (weight, neighbour) in zip(weights, neighbours) {
        spread.add(space.places[neighbour.point] - place, weight: weight / (total * freedom))
      }
    }
    (self.place, self.spread) = (place, spread)
    shares = zip(weights, neighbours).map { ($1.point, $0 / total) }
  }

  /// Returns the weighted mean of a matrix of each surveyed point.
  func mean(of matrices: [SymmetricMatrix3]) -> SymmetricMatrix3 {
    shares.reduce(into: SymmetricMatrix3()) { $0.add(matrices[$1.point], weight: $1.share) }
  }

  /// Returns the inverse distance.
  ///
  /// Levels have a resolution of 1 dB, so the distance is at least the rounding's standard
  /// deviation of 1/√12 dB, and the weight is finite.
  static func weight(_ neighbour: SignalSpace.Neighbour) -> Double {
    1 / max(neighbour.distance, 0.288_675_134_594_812_9)
  }
}
