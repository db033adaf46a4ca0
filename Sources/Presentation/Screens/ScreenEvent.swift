/// Something that happened, as a line of a screen.
public struct ScreenEvent: Equatable, Sendable {
  /// Of the day, such as 14:03:22.
  public var clock: String
  public var text: String
  public var style: ScreenStyle

  public init(clock: String, text: String, style: ScreenStyle) {
    (self.clock, self.text, self.style) = (clock, text, style)
  }
}
