import Evaluation
import Geometry
import Positioning
import Support

/// Where on the floor each algorithm errs: the median error of the answers whose truth is in a cell.
struct ErrorMap {
  let grid: HeatGrid
  let layers: [HeatLayer]

  /// The maximum number of algorithms, the first of the leaderboard.
  private static let mostLayers = 8
  /// A cell with fewer answers stays blank.
  private static let fewestAnswers = 3

  /// Nil where there are too few answers in any cell.
  init?(_ document: EvaluationDocument) {
    let truths = document.traces.map { $0.questions.map(\.truth) }
    guard let box = Bounds(around: Array(truths.joined())) else { return nil }
    let longer = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    guard longer > 0, longer < 1e7 else { return nil }
    let cell = NiceScale.step(longer, atMost: 16)
    func first(_ low: Double) -> Double { (low / cell).rounded(.down) * cell }
    let origin = Point(x: first(box.minimum.x), y: first(box.minimum.y))
    let grid = HeatGrid(
      origin: origin, cell: cell, columns: Int((box.maximum.x - origin.x) / cell) + 1,
      rows: Int((box.maximum.y - origin.y) / cell) + 1)
    self.grid = grid
    layers = document.ranked.prefix(Self.mostLayers).compactMap { one in
      var errors = [[Double]](repeating: [], count: grid.columns * grid.rows)
      for (trace, outcomes) in one.answers.outcomes.enumerated() {
        for (truth, outcome) in zip(truths[trace], outcomes) {
          guard let estimate = outcome.estimate else { continue }
          let column = min(Int((truth.x - origin.x) / cell), grid.columns - 1)
          let row = min(Int((truth.y - origin.y) / cell), grid.rows - 1)
          errors[row * grid.columns + column].append(estimate.position.distance(to: truth))
        }
      }
      let medians = errors.map { errors in
        errors.count < Self.fewestAnswers ? .nan : SortedSample(errors).quantile(0.5) ?? .nan
      }
      guard medians.contains(where: \.isFinite) else { return nil }
      return HeatLayer(
        name: "median error of \(one.name)", unit: "m", values: medians, isLowBright: true)
    }
    guard !layers.isEmpty else { return nil }
  }
}
