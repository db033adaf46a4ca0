import Geometry
import RealModule

/// The probabilities of the cells of a building, as an answer.
struct FloorBelief {
  /// The probability that the belief is wrong altogether, and the person is anywhere.
  static let doubt = 0.02

  /// Returns the answer of some weights; it is refused if all are zero.
  ///
  /// The floor is that of the highest probability, and the position is the mean there.
  ///
  /// - Parameters:
  ///   - weights: The weight of each cell.
  ///   - exponent: The exponent of the claims.
  static func outcome(_ weights: [Float], _ exponent: Double, on map: BuildingMap) -> Outcome {
    let cells = map.cells
    let largest = weights.max() ?? 0
    guard largest > 0, largest.isFinite else { return .refused(.notConverged) }
    var claimed = weights.map { $0 > 0 ? Float.pow($0 / largest, Float(exponent)) : 0 }
    let total = claimed.reduce(0, +)
    for cell in claimed.indices {
      claimed[cell] = (1 - Float(doubt)) * claimed[cell] / total + Float(doubt) * map.prior[cell]
    }
    let floors = cells.lattices.map { lattice in
      lattice.cells.reduce(0.0) { $0 + Double(claimed[$1]) }
    }
    let floor = floors.indices.max { floors[$0] < floors[$1] } ?? 0
    let lattice = cells.lattices[floor]
    var (mean, weight) = (Point(x: 0, y: 0), 0.0)
    for cell in lattice.cells where weights[cell] > 0 {
      let place = cells.centre(of: cell, on: floor)
      let share = Double(weights[cell] / largest)
      weight += share
      mean.x += share * (place.x - mean.x) / weight
      mean.y += share * (place.y - mean.y) / weight
    }
    // All weight may be on other floors, of which each has less.
    if weight == 0, let best = lattice.cells.max(by: { claimed[$0] < claimed[$1] }) {
      mean = cells.centre(of: best, on: floor)
    }
    var covariance = Covariance(xx: 0, xy: 0, yy: 0)
    for cell in lattice.cells where claimed[cell] > 0 {
      let place = cells.centre(of: cell, on: floor)
      let (dx, dy) = (place.x - mean.x, place.y - mean.y)
      let share = Double(claimed[cell]) / floors[floor]
      covariance.xx += share * dx * dx
      covariance.xy += share * dx * dy
      covariance.yy += share * dy * dy
    }
    let within = cells.side * cells.side / 12
    covariance.xx += within
    covariance.yy += within
    var estimate = Estimate(position: mean, uncertainty: .covariance(covariance))
    estimate.floor = floor
    estimate.floorProbabilities = floors
    return .located(estimate)
  }
}
