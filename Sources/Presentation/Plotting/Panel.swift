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

/// One axis of a panel.
package struct Axis: Equatable, Sendable {
  package enum Scale: Sendable {
    case linear
    /// To the base of ten; values that are not positive are not drawn.
    case logarithmic
  }

  /// What is measured and its unit, such as `level (dBm)`.
  package var label: String
  /// What the axis spans; the data and a little more where nil. What lies outside is cut off.
  package var range: ClosedRange<Double>?
  package var scale: Scale
  /// A value at which a thin dashed line crosses the panel, over what it shows; none where nil.
  package var mark: Double?

  package init(
    _ label: String, range: ClosedRange<Double>? = nil, scale: Scale = .linear,
    mark: Double? = nil
  ) {
    self.label = label
    self.range = range
    self.scale = scale
    self.mark = mark
  }
}

/// Columns of data that are drawn alike. Series of one name share a colour and an entry of the
/// legend.
///
/// The columns of a series are of one length. A row in which a value is not finite is not drawn,
/// and breaks a line, steps and a band.
package struct Series: Equatable, Sendable {
  package enum Shape: Equatable, Sendable {
    case points(x: [Double], y: [Double])
    case line(x: [Double], y: [Double])
    /// Each value holds until the next.
    case steps(x: [Double], y: [Double])
    /// What lies between `low` and `high`, shaded.
    case band(x: [Double], low: [Double], high: [Double])
    /// A thin upright stroke from `low` to `high` at each place, without ends.
    case whiskers(x: [Double], low: [Double], high: [Double])
  }

  /// What a series stands for, which decides its colour.
  package enum Role: Sendable {
    /// One of several that are compared: the next colour of the palette, the same in all panels.
    case compared
    /// What was received: small grey dots or a grey line.
    case raw
    /// What is known to be true: black.
    case truth
  }

  /// Its entry of the legend; none where it is empty.
  package var name: String
  package var shape: Shape
  package var role: Role
  /// What a compared series has its colour from: series of one colour name look as if of one name.
  package var colourName: String
  /// A Boolean value that is true if a band is paler than others, as one that holds another should
  /// be.
  package var isPale = false

  /// - Parameter colourName: its name where nil.
  package init(
    _ name: String, _ shape: Shape, role: Role = .compared, colourName: String? = nil
  ) {
    self.name = name
    self.shape = shape
    self.role = role
    self.colourName = colourName ?? name
  }
}

extension Series.Shape {
  /// The columns that are read on the x axis and on the y axis.
  var columns: (x: [Double], y: [[Double]]) {
    switch self {
    case .points(let x, let y), .line(let x, let y), .steps(let x, let y): (x, [y])
    case .band(let x, let low, let high), .whiskers(let x, let low, let high): (x, [low, high])
    }
  }

  /// A Boolean value that is true if rows are joined by a stroke.
  var isLine: Bool {
    switch self {
    case .line, .steps: true
    case .points, .band, .whiskers: false
    }
  }
}

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
  /// A Boolean value that is true if labels are written; panels beside each other may share those
  /// of the first.
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
