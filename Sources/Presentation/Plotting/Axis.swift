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
