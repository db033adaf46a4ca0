/// Rows, the first on top, each with a label, a value and perhaps an interval: bars that begin at
/// 0, or points.
///
/// A row whose label is the name of a series of the chart has the colour of that series.
package struct Bars: Equatable, Sendable {
  package enum Style: Sendable {
    /// From 0 to the value.
    case bars
    /// At the value; the axis spans the intervals, and numbers stand to the right of them all.
    case points
  }

  package var labels: [String]
  /// In the unit of the x axis; a value that is not finite has a label and no bar.
  package var values: [Double]
  /// The ends of each bar's interval, both in the unit of the x axis; none where nil.
  package var low: [Double]?
  package var high: [Double]?
  /// Digits after the point of the values written beside the bars.
  package var decimals: Int
  package var style: Style
  /// Whether labels are written; panels beside each other may share those of the first.
  package var showsLabels: Bool

  package init(
    labels: [String], values: [Double], low: [Double]? = nil, high: [Double]? = nil,
    decimals: Int = 2, style: Style = .bars, showsLabels: Bool = true
  ) {
    self.labels = labels
    self.values = values
    self.low = low
    self.high = high
    self.decimals = decimals
    self.style = style
    self.showsLabels = showsLabels
  }
}

extension Bars {
  /// The interval of a bar, or nil where it has none that can be drawn.
  func interval(_ index: Int) -> ClosedRange<Double>? {
    guard let low, let high, low[index].isFinite, high[index].isFinite,
      values[index].isFinite, low[index] <= high[index]
    else { return nil }
    return low[index]...high[index]
  }
}
