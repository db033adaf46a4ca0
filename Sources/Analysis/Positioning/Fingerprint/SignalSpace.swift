import Geometry

/// The levels of a survey as one dense matrix: a row for each surveyed point, a column for each
/// anchor.
///
/// An anchor that was not heard has the floor, 1 dB below the lowest level of the survey, and a
/// lower level is raised to it: beyond the receiver's reach levels show no more than silence.
struct SignalSpace: Sendable {
  /// The surveyed places, in metres; heights are 0 where they are not known.
  let places: [SpacePoint]
  /// A Boolean value that is true if every surveyed place has a height.
  let hasHeights: Bool
  /// The recording of each place.
  let traces: [Int]
  /// The columns of the anchors that the survey heard, by number.
  private let columns: [Int: Int]
  /// In dBm, row after row.
  private let levels: [Double]
  /// In dBm.
  private let floor: Double
  /// The variance of a level's own error in that of an error common to all; infinite for none.
  private let ownShare: Double

  /// The survey's points at places that occur with at least one level that occurs; nil without any.
  ///
  /// - Parameter ownShare: the variance of a level's own error in that of an error that all levels
  ///   of a point have in common.
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

  /// Returns whether a level in dBm is one that a radio could report, and its square adds up.
  static func occurs(_ level: Double) -> Bool { abs(level) <= 1000 }

  /// The row of what was heard; nil where no anchor of the survey was heard.
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

  /// The row of a surveyed point.
  func row(of point: Int) -> [Double] { Array(levels[(point * width)..<((point + 1) * width)]) }

  /// A surveyed point and how far its levels are.
  struct Neighbour: Equatable {
    var point: Int
    /// Root of the sum of squared differences, in dB, less what an error common to all explains.
    var distance: Double
  }

  /// The points with the nearest levels, nearest first; equal distances keep the survey's order.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - isCandidate: which points count.
  func nearest(
    _ limit: Int, to row: [Double], where isCandidate: (Int) -> Bool = { _ in true }
  ) -> [Neighbour] {
    var nearest: [Neighbour] = []
    nearest.reserveCapacity(limit + 1)
    for point in places.indices where isCandidate(point) {
      let sum = squaredDistance(of: point, to: row)
      // Squared until the end; most points are farther than all so far.
      if nearest.count == limit, let last = nearest.last, sum >= last.distance { continue }
      var place = nearest.count
      while place > 0, nearest[place - 1].distance > sum { place -= 1 }
      nearest.insert(Neighbour(point: point, distance: sum), at: place)
      if nearest.count > limit { nearest.removeLast() }
    }
    for index in nearest.indices { nearest[index].distance = nearest[index].distance.squareRoot() }
    return nearest
  }

  /// The sum of squared differences r in dB, less (Σ r)² / (n + `ownShare`) over the n levels that
  /// both heard: twice the cost of normal errors of which one is common to all and summed over.
  private func squaredDistance(of point: Int, to row: [Double]) -> Double {
    var (sum, total, count) = (0.0, 0.0, 0.0)
    let start = point * width
    for column in 0..<width {
      let level = levels[start + column]
      let difference = level - row[column]
      sum += difference * difference
      // Silence has no such error.
      if ownShare < .infinity, level > floor, row[column] > floor {
        total += difference
        count += 1
      }
    }
    return ownShare < .infinity ? max(sum - total * total / (count + ownShare), 0) : sum
  }
}

/// The mean of neighbours' places, weighted by nearness in signal space, and their spread about it.
struct NeighbourMean {
  var place: SpacePoint
  /// The weighted covariance of the neighbours' places, in m²; 0 for one neighbour.
  var spread: SymmetricMatrix3

  /// - Parameter neighbours: at least one.
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
    // The unbiased form for weights that show how near, not how often.
    let freedom = 1 - squares
    if freedom > 1e-12 {
      for (weight, neighbour) in zip(weights, neighbours) {
        spread.add(space.places[neighbour.point] - place, weight: weight / (total * freedom))
      }
    }
    (self.place, self.spread) = (place, spread)
  }

  /// The inverse distance.
  ///
  /// A level is given to 1 dB: nothing is nearer than rounding's deviation of 1/√12 dB, and no
  /// weight is infinite.
  static func weight(_ neighbour: SignalSpace.Neighbour) -> Double {
    1 / max(neighbour.distance, 0.288_675_134_594_812_9)
  }
}
