/// A picture of one or more panels.
///
/// Every text in it is data: it is drawn as it is, never interpreted.
public struct Chart: Equatable, Sendable {
  /// How panels lie.
  public enum Arrangement: Sendable {
    /// Below one another, with their plotting areas aligned.
    case stacked
    /// Beside one another.
    case row
  }

  public var title: String
  public var panels: [Panel]
  public var arrangement: Arrangement
  /// Pixels of an SVG, each 1/96 inch of a PDF; a PNG has `density` times as many.
  public var width: Int
  /// As `width`; what the panels need where nil.
  public var height: Int?
  /// Pixels of a PNG for each of `width` and `height`.
  public var density: Int

  public init(
    title: String = "", panels: [Panel], arrangement: Arrangement = .stacked, width: Int = 900,
    height: Int? = nil, density: Int = 2
  ) {
    self.title = title
    self.panels = panels
    self.arrangement = arrangement
    self.width = width
    self.height = height
    self.density = density
  }
}
