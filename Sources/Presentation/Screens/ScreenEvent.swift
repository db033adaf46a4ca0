/// Something that happened, as a line of a screen.
package struct ScreenEvent: Equatable, Sendable {
  /// Of the day, such as 14:03:22.
  package var clock: String
  package var text: String
  package var style: ScreenStyle

  package init(clock: String, text: String, style: ScreenStyle) {
    (self.clock, self.text, self.style) = (clock, text, style)
  }
}
