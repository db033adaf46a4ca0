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

  /// Returns the maximum a posteriori model by a simplex, with pairs of models that represent its
  /// uncertainty.
  func learned(_ belief: PlaceModel = .belief) -> LearnedPlaceModel {
    guard !beacons.isEmpty else { return LearnedPlaceModel(mostLikely: belief) }
    let centre = [Double](repeating: 0, count: PlaceModel.widths.count)
    let minimum = SimplexMinimum(
      from: centre, steps: centre.map { $0 + 0.5 }, tolerance: 0.02, maximumSteps: 300
    ) { cost(scores: $0, belief) }
    let axes = LaplaceApproximation(at: minimum.x) { cost(scores: $0, belief) }.axes
    return LearnedPlaceModel(
      mostLikely: belief.with(scores: minimum.x),
      pairs: axes.map { axis in
        (
          belief.with(scores: zip(minimum.x, axis).map(+)),
          belief.with(scores: zip(minimum.x, axis).map(-))
        )
      })
  }

  /// Returns the negative logarithm of the posterior density, up to a constant.
  private func cost(scores: [Double], _ belief: PlaceModel) -> Double {
    // Levels of a formula have no maximum.
    guard scores.allSatisfy({ abs($0) < 4 }) else { return .infinity }
    let model = belief.with(scores: scores)
    let values = parallel(beacons.count) { [beacons] number -> Double in
      guard let likelihood = PlaceLikelihood(beacons[number].levels, model) else {
        return -.infinity
      }
      return PlacePosterior(likelihood, on: beacons[number].lattice).evidence
    }
    return 0.5 * dot(scores, scores) - values.reduce(0, +)
  }
}

/// Hyper-parameters that a survey determined, with their uncertainty.
package struct LearnedPlaceModel: Sendable {
  package var mostLikely: PlaceModel
  /// Models one standard deviation to both sides of the likeliest one, along each principal axis of
  /// the posterior of the hyper-parameters; empty if they are known.
  package var pairs: [(above: PlaceModel, below: PlaceModel)] = []
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
