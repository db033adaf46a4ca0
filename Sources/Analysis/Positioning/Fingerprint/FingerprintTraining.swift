import Geometry

/// The best number of neighbours and the error of fingerprinting, by cross-validation on the
/// survey.
///
/// Every surveyed point is located from the others. All points at its place are left out, in all
/// recordings: the place of a target is rarely one of the survey's. If the survey has several
/// recordings, a point's own recording is left out entirely: its neighbours on a walk share the
/// peculiarities of its levels. Both would make k = 1 look best.
struct FingerprintTraining: Equatable {
  /// The number of neighbours with the least mean error.
  let neighbours: Int
  /// The mean of the errors' squares and products, in m²; `nil` if there are too few points.
  let error: SymmetricMatrix3?
  /// The factor on the sum of spread and error that makes the mean normalised squared error 2, as
  /// for a correct covariance in the plane.
  let factor: Double
  /// The mean squares and products of the distances to each surveyed point from the parts of the
  /// floor that are nearest to it, in m².
  ///
  /// Trials are at surveyed points only. Targets are anywhere on the floor, and a surveyed point
  /// answers for all places around it.
  let gaps: [SymmetricMatrix3]

  /// The largest number of points to locate; of more, every n-th is.
  static let mostPoints = 500
  /// The largest number of neighbours to try.
  static let mostNeighbours = 30

  /// The distance within which points are at one place, in metres.
  static let samePlace = 0.1

  /// A surveyed point with its neighbours among the training points.
  private typealias Trial = (point: Int, neighbours: [SignalSpace.Neighbour])

  /// The largest number of cells of the floor for the gaps.
  static let mostCells = 2000.0

  /// - Parameters:
  ///   - fixed: The number of neighbours, or `nil` for the best.
  ///   - surroundings: The floor: the rooms, or the bounds if there are no rooms.
  init(_ space: SignalSpace, fixed: Int?, in surroundings: Surroundings) {
    gaps = Self.gaps(space.places, in: surroundings)
    let count = space.places.count
    let areMany = Set(space.traces).count > 1
    let limit = fixed ?? Self.mostNeighbours
    let stride = max(1, (count + Self.mostPoints - 1) / Self.mostPoints)
    var trials: [Trial] = []
    for point in Swift.stride(from: 0, to: count, by: stride) {
      let neighbours = space.nearest(limit, to: space.row(of: point)) { other in
        (!areMany || space.traces[other] != space.traces[point])
          && space.places[other].planar.distance(to: space.places[point].planar) > Self.samePlace
      }
      if !neighbours.isEmpty { trials.append((point, neighbours)) }
    }
    neighbours = fixed ?? Self.best(trials, in: space)
    // Three points at the corners of a triangle give no error to learn from.
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

  /// Returns ``gaps``; O(points × cells).
  private static func gaps(
    _ places: [SpacePoint], in surroundings: Surroundings
  ) -> [SymmetricMatrix3] {
    var known: [Point: Int] = [:]
    for place in places where known[place.planar] == nil { known[place.planar] = known.count }
    let distinct = known.sorted { $0.value < $1.value }.map(\.key)
    var sums = distinct.map { _ in (square: SymmetricMatrix3(), count: 0.0) }
    if let bounds = surroundings.searchBounds,
      let floor = Grid(
        bounds, rooms: surroundings.rooms, smallestCell: (bounds.area / mostCells).squareRoot())
    {
      for cell in 0..<floor.area where floor.isOpen[cell] {
        let place = floor.place(column: cell % floor.columns, row: cell / floor.columns)
        var nearest = (number: 0, distance: Double.infinity)
        for (number, point) in distinct.enumerated() {
          let distance = point.distance(to: place)
          if distance < nearest.distance { nearest = (number, distance) }
        }
        let point = distinct[nearest.number]
        sums[nearest.number].square.add(
          SpacePoint(x: place.x - point.x, y: place.y - point.y, z: 0), weight: 1)
        sums[nearest.number].count += 1
      }
    }
    return places.map { place in
      let sum = sums[known[place.planar] ?? 0]
      var mean = SymmetricMatrix3()
      if sum.count > 0 { mean.add(sum.square, weight: 1 / sum.count) }
      return mean
    }
  }

  /// Returns the number of neighbours with the least mean error, the smallest if several tie; 1
  /// without trials.
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
