import Geometry
import NumericalMethods
import RealModule
import Support

/// The marginal likelihood of a survey under a ``PlaceModel``, with the places of the beacons
/// unknown: each beacon's is a mean over its lattice.
struct PlaceEvidence: Sendable {
  /// The levels of each beacon, and the lattice of its places.
  private let beacons: [(levels: [SurveyedLevel], lattice: CellGrid)]

  /// The largest numbers of beacons, of levels of each, and of cells of each.
  private static let (mostBeacons, mostLevels, mostCells) = (16, 90, 900.0)

  /// - Parameter beacons: The levels of each beacon and the area in which it may be.
  init(_ beacons: [(levels: [SurveyedLevel], area: Bounds)]) {
    self.beacons = beacons.sampled(Self.mostBeacons).map { beacon in
      (
        beacon.levels.sampled(Self.mostLevels),
        CellGrid(over: beacon.area, atMost: Self.mostCells, smallest: 0.5)
      )
    }
  }

  /// Returns the maximum a posteriori model by a simplex.
  func mostLikely(_ belief: PlaceModel = .belief) -> PlaceModel {
    guard !beacons.isEmpty else { return belief }
    let centre = belief.logarithms
    func cost(_ logarithms: [Double]) -> Double {
      let scores = logarithms.indices.map {
        (logarithms[$0] - centre[$0]) / PlaceModel.widths[$0]
      }
      // Levels of a formula have no maximum.
      guard scores.allSatisfy({ abs($0) < 4 }) else { return .infinity }
      let model = belief.with(logarithms: logarithms)
      let values = parallel(beacons.count) { [beacons] number -> Double in
        guard let likelihood = PlaceLikelihood(beacons[number].levels, model) else {
          return -.infinity
        }
        return PlacePosterior(likelihood, on: beacons[number].lattice).evidence
      }
      return 0.5 * dot(scores, scores) - values.reduce(0, +)
    }
    let minimum = SimplexMinimum(
      from: centre, steps: [6] + [Double](repeating: 0.3, count: centre.count - 1),
      tolerance: 0.02, maximumSteps: 300, of: cost)
    var model = belief.with(logarithms: minimum.x)
    model.meanErrors = Self.meanErrors(about: minimum.x, cost)
    return model
  }

  /// Returns the covariance of the means of power and exponent by the curvature of the evidence
  /// (Laplace's method), the other hyper-parameters as they are; 0 where it has no maximum.
  private static func meanErrors(
    about place: [Double], _ cost: ([Double]) -> Double
  ) -> (power: Double, exponent: Double, cross: Double) {
    let (power, exponent) = (0.5, 0.05)
    func at(_ p: Double, _ n: Double) -> Double {
      var place = place
      place[0] += p * power
      place[1] += n * exponent
      return cost(place)
    }
    let middle = at(0, 0)
    let pp = (at(1, 0) + at(-1, 0) - 2 * middle) / (power * power)
    let nn = (at(0, 1) + at(0, -1) - 2 * middle) / (exponent * exponent)
    let pn = (at(1, 1) + at(-1, -1) - at(1, -1) - at(-1, 1)) / (4 * power * exponent)
    let determinant = pp * nn - pn * pn
    guard determinant > 0, pp > 0, determinant.isFinite else { return (0, 0, 0) }
    return (nn / determinant, pp / determinant, -pn / determinant)
  }
}

extension CellGrid {
  /// Covers an area with square cells.
  ///
  /// - Parameters:
  ///   - most: The approximate largest number of cells.
  ///   - smallest: The smallest side of a cell, in metres.
  init(over area: Bounds, atMost most: Double, smallest: Double) {
    let (width, depth) = (
      area.maximum.x - area.minimum.x, area.maximum.y - area.minimum.y
    )
    let cell = max(smallest, (width * depth / most).squareRoot())
    self.init(
      origin: area.minimum, cell: cell, columns: max(1, Int((width / cell).rounded(.up))),
      rows: max(1, Int((depth / cell).rounded(.up))))
  }
}
