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
    let minimum = SimplexMinimum(
      from: centre, steps: [6] + [Double](repeating: 0.3, count: centre.count - 1),
      tolerance: 0.02, maximumSteps: 300
    ) { logarithms in
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
    return belief.with(logarithms: minimum.x)
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
