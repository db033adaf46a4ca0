/// One pair of axes and what is drawn between them.
public struct Panel: Equatable, Sendable {
  /// What is drawn.
  public enum Content: Equatable, Sendable {
    /// The later ones lie over the earlier ones.
    case series([Series])
    case bars(Bars)
  }

  public var title: String
  public var x: Axis
  public var y: Axis
  public var content: Content
  /// Pixels of the plotting area, as the chart's width; what suits its content where nil.
  public var height: Int?

  /// A panel of series; the legend above it names them in their order.
  public init(title: String = "", x: Axis, y: Axis, series: [Series]) {
    self.title = title
    self.x = x
    self.y = y
    content = .series(series)
  }

  /// A panel of horizontal bars, whose lengths are read on `x`.
  public init(title: String = "", x: Axis, bars: Bars) {
    self.title = title
    self.x = x
    y = Axis("")
    content = .bars(bars)
  }
}
