import Support

extension Chart {
  /// Refuses what cannot be drawn.
  func check() throws(RSSIError) {
    guard !panels.isEmpty else { throw refusal("it has no panel; add one") }
    if case .rows(let lengths) = arrangement {
      guard lengths.allSatisfy((1...panels.count).contains),
        lengths.reduce(0, +) == panels.count
      else {
        throw refusal("its rows do not hold its panels; give lengths that sum up to their number")
      }
    }
    guard (200...10_000).contains(width), (150...10_000).contains(height ?? 150),
      (1...8).contains(density)
    else {
      throw refusal("its size is out of bounds; give 200 to 10000 by 150 to 10000, density 1 to 8")
    }
    for panel in panels {
      try check(panel.x)
      try check(panel.y)
      guard (20...10_000).contains(panel.height ?? 20) else {
        throw refusal("a panel's height is out of bounds; give 20 to 10000")
      }
      switch panel.content {
      case .series(let series):
        for one in series {
          let columns = one.shape.columns
          guard columns.y.allSatisfy({ $0.count == columns.x.count }) else {
            throw refusal("the columns of \(shown(one.name)) differ in length; give as many x as y")
          }
        }
      case .bars(let bars):
        let columns = [bars.values, bars.low ?? bars.values, bars.high ?? bars.values]
        guard columns.allSatisfy({ $0.count == bars.labels.count }) else {
          throw refusal("its bars' columns differ in length; give each label one value")
        }
        guard (0...15).contains(bars.decimals) else {
          throw refusal("\(bars.decimals) decimals are out of bounds; give 0 to 15")
        }
      }
    }
  }

  private func check(_ axis: Axis) throws(RSSIError) {
    guard let range = axis.range else { return }
    let lowest = axis.scale == .logarithmic ? 1e-150 : -1e150
    guard range.lowerBound > lowest, range.upperBound < 1e150 else {
      throw refusal(
        "the range of \(shown(axis.label)) cannot be drawn; give finite numbers,"
          + " above 0 on a logarithmic axis")
    }
  }

  private func refusal(_ problem: String) -> RSSIError {
    RSSIError(.usage, "cannot draw the chart: \(problem)")
  }
}
