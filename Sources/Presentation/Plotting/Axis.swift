/// One axis of a panel.
public struct Axis: Equatable, Sendable {
  public enum Scale: Sendable {
    case linear
    /// To the base of ten; values that are not positive are not drawn.
    case logarithmic
  }

  /// What is measured and its unit, such as `level (dBm)`.
  public var label: String
  /// What the axis spans; the data and a little more where nil. What lies outside is cut off.
  public var range: ClosedRange<Double>?
  public var scale: Scale
  /// A value at which a thin dashed line crosses the panel, over what it shows; none where nil.
  public var mark: Double?

  public init(
    _ label: String, range: ClosedRange<Double>? = nil, scale: Scale = .linear,
    mark: Double? = nil
  ) {
    self.label = label
    self.range = range
    self.scale = scale
    self.mark = mark
  }
}
