import Evaluation
import Geometry
import Positioning
import RealModule
import Support

/// Numbers of cells as a picture in steps of one colour, whose borders are contours.
///
/// The colours are those of viridis (van der Walt and Smith, 2015), whose lightness grows evenly,
/// so that people of every colour vision see which of two is higher.
struct HeatLayer {
  let name: String
  let unit: String
  let values: [Double]
  /// A Boolean value that is true if the lowest values are the brightest.
  var isLowBright = false

  /// As many colours as page.css has.
  private static let steps = 8

  /// The lower ends of the steps, and the upper end of the last; one wild cell does not stretch
  /// them, so that the ends are open.
  private var bounds: [Double] {
    let sorted = values.filter(\.isFinite).sorted()
    let (low, high) = (
      sorted[sorted.count / 50], sorted[sorted.count - 1 - sorted.count / 50]
    )
    let step = NiceScale.step(max(high - low, 1e-3), atMost: Self.steps - 1)
    let first = (low / step).rounded(.down) * step
    let count = min(Self.steps, max(1, Int(((high - first) / step).rounded(.up))))
    return (0...count).map { first + Double($0) * step }
  }

  private func colour(_ index: Int, of count: Int) -> String {
    let place = count > 1 ? Double(index) / Double(count - 1) : 0.5
    let step = Int((place * Double(Self.steps - 1)).rounded())
    return "v\(isLowBright ? Self.steps - 1 - step : step)"
  }

  /// Returns the values of a step in words.
  private func words(_ index: Int, _ bounds: [Double]) -> String {
    let step = bounds[1] - bounds[0]
    func label(_ value: Double) -> String {
      NiceScale.label(value, step: step).replacing("-", with: "−")
    }
    let (low, high) = (label(bounds[index]), label(bounds[index + 1]))
    switch (index == 0, index == bounds.count - 2) {
    case (true, true): return "about \(low) \(unit)"
    case (true, false): return "below \(high) \(unit)"
    case (false, true): return "\(low) \(unit) and more"
    case (false, false): return "\(low) to \(high) \(unit)"
    }
  }

  var legend: HTML {
    let bounds = bounds
    let count = bounds.count - 1
    let lines: [HTML] = (0..<count).reversed().map { index in
      "<li><svg viewBox=\"0 0 20 14\" aria-hidden=\"true\"><rect class=\"\(colour(index, of: count))\" width=\"20\" height=\"14\"/></svg>\(words(index, bounds))</li>"
    }
    return "<p class=\"heat-name\">\(name)</p><ul class=\"heat-key\">\(lines)</ul>"
  }

  /// Returns one path per step, of runs of cells in a row.
  ///
  /// - Parameter first: the place of the floor's first cell in the values.
  func picture(_ grid: CellGrid, from first: Int = 0, in view: PlanView) -> HTML {
    let bounds = bounds
    let count = bounds.count - 1
    // Lengths are differences of the rounded corners, so that neighbouring cells meet.
    func x(_ column: Int) -> Double {
      Double(view.x(grid.origin.x + Double(column) * grid.cell)) ?? 0
    }
    func y(_ row: Int) -> Double {
      Double(view.y(grid.origin.y + Double(row) * grid.cell)) ?? 0
    }
    func cell(_ row: Int, _ column: Int) -> Double { values[first + row * grid.columns + column] }
    var paths = [String](repeating: "", count: count)
    for row in 0..<grid.rows {
      var column = 0
      while column < grid.columns {
        let value = cell(row, column)
        let start = column
        column += 1
        guard value.isFinite else { continue }
        let step = Self.step(of: value, bounds)
        while column < grid.columns {
          let next = cell(row, column)
          guard next.isFinite, Self.step(of: next, bounds) == step else { break }
          column += 1
        }
        let (left, top) = (x(start), y(row + 1))
        let width = decimal(x(column) - left, 1)
        let height = decimal(y(row) - top, 1)
        paths[step] += "M\(decimal(left, 1)) \(decimal(top, 1))h\(width)v\(height)h-\(width)z"
      }
    }
    let shapes: [HTML] = paths.enumerated().filter { !$0.element.isEmpty }.map { index, path in
      "<path class=\"\(colour(index, of: count))\" d=\"\(path)\"><title>\(words(index, bounds))</title></path>"
    }
    return "\(shapes)"
  }

  private static func step(of value: Double, _ bounds: [Double]) -> Int {
    let index = bounds.dropFirst().dropLast().firstIndex { value < $0 }
    return index.map { $0 - 1 } ?? bounds.count - 2
  }
}

extension [HeatLayer] {
  /// The pictures of all layers, of which one is shown.
  ///
  /// - Parameters:
  ///   - first: the place of the floor's first cell in the values.
  ///   - shown: the first one that is; nil = none.
  func pictures(_ grid: CellGrid, from first: Int = 0, in view: PlanView, shown: Int?) -> HTML {
    let parts: [HTML] = enumerated().map { index, layer in
      "<g class=\"heat\(index == shown ? "" : " off")\" data-layer=\"\(index)\">\(layer.picture(grid, from: first, in: view))</g>\n"
    }
    return "\(parts)"
  }

  func legends(shown: Int?) -> HTML {
    let parts: [HTML] = enumerated().map { index, layer in
      "<div class=\"legend-of\(index == shown ? "" : " off")\" data-layer=\"\(index)\">\(layer.legend)</div>\n"
    }
    return "\(parts)"
  }

  /// The layers as choices.
  var options: HTML {
    let parts: [HTML] = enumerated().map { index, layer in
      "<option value=\"\(index)\">\(layer.name)</option>"
    }
    return "\(parts)"
  }
}

/// The median error of each algorithm over the floor, by the cell of the truth.
struct ErrorMap {
  let grid: CellGrid
  let layers: [HeatLayer]

  /// The maximum number of algorithms, the first of the leaderboard.
  private static let mostLayers = 8
  /// A cell with fewer answers stays blank.
  private static let fewestAnswers = 3

  /// Returns nil if every cell has too few answers.
  init?(_ document: EvaluationDocument) {
    let questions = document.traces.map(\.questions)
    guard let box = Bounds(around: questions.joined().map(\.truth)) else { return nil }
    let longer = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    guard longer > 0, longer < 1e7 else { return nil }
    let cell = NiceScale.step(longer, atMost: 16)
    func first(_ low: Double) -> Double { (low / cell).rounded(.down) * cell }
    let origin = Point(x: first(box.minimum.x), y: first(box.minimum.y))
    let grid = CellGrid(
      origin: origin, cell: cell, columns: Int((box.maximum.x - origin.x) / cell) + 1,
      rows: Int((box.maximum.y - origin.y) / cell) + 1)
    let floors = max(document.site.storeys.count, 1)
    self.grid = grid
    layers = document.ranked.prefix(Self.mostLayers).compactMap { one in
      var errors = [[Double]](repeating: [], count: grid.count * floors)
      for (trace, outcomes) in one.answers.outcomes.enumerated() {
        for (question, outcome) in zip(questions[trace], outcomes) {
          guard let estimate = outcome.estimate else { continue }
          let truth = question.truth
          let floor = floors > 1 ? question.truthFloor ?? 0 : 0
          let column = min(Int((truth.x - origin.x) / cell), grid.columns - 1)
          let row = min(Int((truth.y - origin.y) / cell), grid.rows - 1)
          errors[floor * grid.count + row * grid.columns + column].append(
            estimate.position.distance(to: truth))
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
