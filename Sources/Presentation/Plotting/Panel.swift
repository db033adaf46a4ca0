/// One pair of axes and what is drawn between them.
package struct Panel: Equatable, Sendable {
  /// What is drawn.
  package enum Content: Equatable, Sendable {
    /// The later ones lie over the earlier ones.
    case series([Series])
    case bars(Bars)
  }

  package var title: String
  package var x: Axis
  package var y: Axis
  package var content: Content
  /// Pixels of the plotting area, as the chart's width; what suits its content where nil.
  package var height: Int?

  /// A panel of series; the legend above it names them in their order.
  package init(title: String = "", x: Axis, y: Axis, series: [Series]) {
    self.title = title
    self.x = x
    self.y = y
    content = .series(series)
  }

  /// A panel of horizontal bars, whose lengths are read on `x`.
  package init(title: String = "", x: Axis, bars: Bars) {
    self.title = title
    self.x = x
    y = Axis("")
    content = .bars(bars)
  }
}
