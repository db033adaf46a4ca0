import Geometry
import RealModule

/// The posterior of a beacon's place on a lattice, exact for the hyper-parameters of a
/// ``PlaceModel``: there are neither start values nor local minima.
struct PlacePosterior {
  let lattice: CellGrid
  let places: [Point]
  /// The logarithm of the marginal likelihood in each cell, with the prior.
  let logarithms: [Double]
  /// The probability of each cell.
  let weights: [Double]
  /// The logarithm of the marginal likelihood of the levels over all places.
  let evidence: Double

  /// - Parameter prior: The logarithm of the prior density of a place, up to a constant; uniform by
  ///   default.
  init(_ likelihood: PlaceLikelihood, on lattice: CellGrid, prior: ((Point) -> Double)? = nil) {
    (self.lattice, places) = (lattice, lattice.places)
    var logarithms = likelihood.logLikelihood(at: places)
    if let prior { for (cell, place) in places.enumerated() { logarithms[cell] += prior(place) } }
    let largest = logarithms.max() ?? 0
    let raw = logarithms.map { Double.exp($0 - largest) }
    let sum = raw.reduce(0, +)
    weights = raw.map { $0 / sum }
    evidence = largest + Double.log(sum / Double(max(places.count, 1)))
    self.logarithms = logarithms
  }

  /// The mean of the place.
  var mean: Point {
    var mean = Point(x: 0, y: 0)
    for (place, weight) in zip(places, weights) {
      mean.x += weight * place.x
      mean.y += weight * place.y
    }
    return mean
  }

  /// The covariance of the place, with that of a uniform place in a cell.
  var covariance: Covariance {
    let mean = mean
    let own = lattice.cell * lattice.cell / 12
    var sum = Covariance(xx: own, xy: 0, yy: own)
    for (place, weight) in zip(places, weights) {
      let (dx, dy) = (place.x - mean.x, place.y - mean.y)
      sum.xx += weight * dx * dx
      sum.xy += weight * dx * dy
      sum.yy += weight * dy * dy
    }
    return sum
  }

  /// Returns the displacement from the true place at which the logarithm of the likelihood ratio
  /// exceeds a limit with a probability.
  ///
  /// The true place has the posterior, and the displacement one of 16 directions. Outside the
  /// lattice its nearest cell counts.
  func displacement(found power: Double, at limit: Double) -> Double {
    let largest = logarithms.max() ?? 0
    let cells = weights.indices.filter { weights[$0] > 1e-4 }
    let total = cells.reduce(0) { $0 + weights[$1] }
    let directions = (0..<16).map { Double($0) * Double.pi / 8 }
    func found(_ displacement: Double) -> Double {
      var sum = 0.0
      for angle in directions {
        let right = Int((displacement * Double.cos(angle) / lattice.cell).rounded())
        let up = Int((displacement * Double.sin(angle) / lattice.cell).rounded())
        for cell in cells {
          let row = min(max(cell / lattice.columns + up, 0), lattice.rows - 1)
          let column = min(max(cell % lattice.columns + right, 0), lattice.columns - 1)
          if largest - logarithms[row * lattice.columns + column] > limit { sum += weights[cell] }
        }
      }
      return sum / (16 * total)
    }
    var displacement = lattice.cell
    let longest = lattice.cell * Double(max(lattice.rows, lattice.columns))
    while displacement < longest, found(displacement) < power { displacement *= 1.08 }
    return min(displacement, longest)
  }

  /// The probability of places that do not belong to the most probable mode.
  ///
  /// Modes are maxima of the lattice that a valley separates: one whose highest pass is lower than
  /// the lower peak by a factor of e or more (topological persistence; Edelsbrunner and Harer,
  /// "Computational topology", 2010, section VII.1). O(n log n).
  var elsewhere: Double {
    let order = weights.indices.sorted { weights[$0] > weights[$1] }
    // The peak of the mode of each cell that was visited.
    var parent = [Int](repeating: -1, count: weights.count)
    func peak(_ cell: Int) -> Int {
      var cell = cell
      while parent[cell] != cell { cell = parent[cell] }
      return cell
    }
    var mass = [Double](repeating: 0, count: weights.count)
    for cell in order where weights[cell] > 1e-9 {
      let (row, column) = (cell / lattice.columns, cell % lattice.columns)
      parent[cell] = cell
      mass[cell] = weights[cell]
      for other in neighbours(row, column) where parent[other] >= 0 {
        let (top, current) = (peak(other), peak(cell))
        guard top != current else { continue }
        let (high, low) = weights[top] >= weights[current] ? (top, current) : (current, top)
        // A lower peak that rises little above the pass is a part of the higher one.
        guard low == cell || logarithms[low] - logarithms[cell] < 1 else { continue }
        parent[low] = high
        mass[high] += mass[low]
      }
    }
    guard let first = order.first else { return 0 }
    return max(0, 1 - mass[peak(first)])
  }

  private func neighbours(_ row: Int, _ column: Int) -> [Int] {
    var cells: [Int] = []
    for down in -1...1 {
      for right in -1...1 where down != 0 || right != 0 {
        let (y, x) = (row + down, column + right)
        if (0..<lattice.rows).contains(y), (0..<lattice.columns).contains(x) {
          cells.append(y * lattice.columns + x)
        }
      }
    }
    return cells
  }
}
