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

  public init(_ label: String, range: ClosedRange<Double>? = nil, scale: Scale = .linear) {
    self.label = label
    self.range = range
    self.scale = scale
  }
}
