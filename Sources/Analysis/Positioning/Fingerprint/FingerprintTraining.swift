import Geometry

/// What a survey states about its own use: how many neighbours are best, and how wrong they are.
///
/// Every surveyed point is located from the others. Where the survey has several recordings, a
/// point's own recording is left out whole: the points beside it on a walk share its levels'
/// peculiarities, and would make one neighbour look best.
struct FingerprintTraining: Equatable {
  /// How many neighbours had the least mean error.
  let neighbours: Int
  /// The mean of the errors' squares and products, in m²; nil where points are too few to show.
  let error: SymmetricMatrix3?
  /// What the sum of spread and error is multiplied by, so that the squared errors in its units are
  /// 2 on the mean, as for the true covariance in a plane.
  let factor: Double

  /// More points than this are not located, but every so many of them.
  static let mostPoints = 500
  /// More neighbours than this are not tried.
  static let mostNeighbours = 30

  /// A surveyed point and its neighbours among those that it is located from.
  private typealias Trial = (point: Int, neighbours: [SignalSpace.Neighbour])

  /// - Parameter fixed: how many neighbours are used; nil = the best number.
  init(_ space: SignalSpace, fixed: Int?) {
    let count = space.places.count
    let areMany = Set(space.traces).count > 1
    let limit = fixed ?? Self.mostNeighbours
    let stride = max(1, (count + Self.mostPoints - 1) / Self.mostPoints)
    var trials: [Trial] = []
    for point in Swift.stride(from: 0, to: count, by: stride) {
      let neighbours = space.nearest(limit, to: space.row(of: point)) { other in
        areMany ? space.traces[other] != space.traces[point] : other != point
      }
      if !neighbours.isEmpty { trials.append((point, neighbours)) }
    }
    neighbours = fixed ?? Self.best(trials, in: space)
    // Three points on a triangle's corners leave one another no error to learn from.
    guard trials.count > 3 else {
      (error, factor) = (nil, 1)
      return
    }
    let chosen = trials.map { [neighbours] trial in
      let mean = NeighbourMean(trial.neighbours.prefix(neighbours), in: space)
      return (miss: space.places[trial.point] - mean.place, spread: mean.spread)
    }
    var error = SymmetricMatrix3()
    for trial in chosen { error.add(trial.miss, weight: 1 / Double(chosen.count)) }
    var sum = 0.0
    for trial in chosen {
      var total = error
      total.add(trial.spread, weight: 1)
      sum += total.covariance(in: .plane).squaredScore(trial.miss.x, trial.miss.y)
    }
    factor = sum / (2 * Double(chosen.count))
    self.error = error
  }

  /// The number of neighbours with the least mean error, and the smallest of them; 1 without
  /// trials.
  private static func best(
    _ trials: [Trial], in space: SignalSpace
  ) -> Int {
    var errors = [Double](repeating: 0, count: trials.map(\.neighbours.count).min() ?? 0)
    for trial in trials {
      var (sum, total) = (SpacePoint(x: 0, y: 0, z: 0), 0.0)
      for (index, neighbour) in trial.neighbours.prefix(errors.count).enumerated() {
        let weight = NeighbourMean.weight(neighbour)
        sum = sum + weight * space.places[neighbour.point]
        total += weight
        errors[index] += (space.places[trial.point] - (1 / total) * sum).planar.length
      }
    }
    let least = errors.min() ?? 0
    return (errors.firstIndex(of: least) ?? 0) + 1
  }
}

extension Point {
  /// The distance from the origin.
  fileprivate var length: Double { (x * x + y * y).squareRoot() }
}
