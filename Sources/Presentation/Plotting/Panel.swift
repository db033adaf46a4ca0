/// A pair of axes with its content.
package struct Panel: Equatable, Sendable {
  /// The content of a panel.
  package enum Content: Equatable, Sendable {
    /// Series, the later ones above the earlier ones.
    case series([Series])
    case bars(Bars)
  }

  package var title: String
  package var x: Axis
  package var y: Axis
  package var content: Content
  /// The height of the plotting area in the chart's pixels; nil = as its content needs.
  package var height: Int?

  /// Creates a panel of series; the legend above it names them in their order.
  package init(title: String = "", x: Axis, y: Axis, series: [Series]) {
    self.title = title
    self.x = x
    self.y = y
    content = .series(series)
  }

  /// Creates a panel of horizontal bars, whose lengths are read on `x`.
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
    /// A logarithmic scale to base ten, on which values that are not positive are not drawn.
    case logarithmic
  }

  /// The quantity and its unit, such as `level (dBm)`.
  package var label: String
  /// The range of the axis; nil = the data with a margin. Values outside are cut off.
  package var range: ClosedRange<Double>?
  package var scale: Scale
  /// The value at which a thin dashed line crosses the panel, above its content; nil = none.
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

/// Columns of data in one style. Series of one name share a colour and an entry of the legend.
///
/// The columns of a series are of one length. A row in which a value is not finite is not drawn,
/// and breaks a line, steps and a band.
package struct Series: Equatable, Sendable {
  package enum Shape: Equatable, Sendable {
    case points(x: [Double], y: [Double])
    case line(x: [Double], y: [Double])
    /// A step function: each value holds until the next.
    case steps(x: [Double], y: [Double])
    /// The shaded area between `low` and `high`.
    case band(x: [Double], low: [Double], high: [Double])
    /// A thin upright stroke from `low` to `high` at each place, without ends.
    case whiskers(x: [Double], low: [Double], high: [Double])
  }

  /// The role of a series, which decides its colour.
  package enum Role: String, Sendable {
    /// One of several compared series: the next colour of the palette, the same in all panels.
    case compared
    /// Received levels: small grey dots or a grey line.
    case raw
    /// The truth: black.
    case truth
  }

  /// Its entry in the legend; empty for none.
  package var name: String
  package var shape: Shape
  package var role: Role
  /// The name that determines the colour of a compared series: equal names share a colour.
  package var colourName: String
  /// A Boolean value that is true if a band is paler than others, such as one that contains
  /// another.
  package var isPale = false

  /// - Parameter colourName: nil = the name.
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
  /// The columns for the x axis and for the y axis.
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

/// Rows from the top down, each with a label, a value and perhaps an interval: bars that begin at
/// 0, or points.
///
/// A row whose label is the name of a series of the chart has the colour of that series.
package struct Bars: Equatable, Sendable {
  package enum Style: Sendable {
    /// Bars from 0 to the value.
    case bars
    /// Points at the value; the axis spans the intervals, and the numbers are to the right of them.
    case points
  }

  package var labels: [String]
  /// The values in the unit of the x axis; a value that is not finite has a label and no bar.
  package var values: [Double]
  /// The ends of each bar's interval, both in the unit of the x axis; nil = none.
  package var low: [Double]?
  package var high: [Double]?
  /// The number of decimals of the values next to the bars.
  package var decimals: Int
  package var style: Style
  /// A Boolean value that is true if labels are written; panels in a row may share those of the
  /// first.
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
  /// Returns the interval of a bar; nil if it has none that can be drawn.
  func interval(_ index: Int) -> ClosedRange<Double>? {
    guard let low, let high, low[index].isFinite, high[index].isFinite,
      values[index].isFinite, low[index] <= high[index]
    else { return nil }
    return low[index]...high[index]
  }
}
