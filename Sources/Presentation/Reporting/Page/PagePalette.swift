import Plotting

/// Colours and dashes that distinguish algorithms.
enum PagePalette {
  static let light = Colours.series
  static let dark = Colours.darkSeries
  static let dashes = ["", "7 4", "2 3", "9 3 2 3"]

  /// The class whose style has the colour of the algorithm at a place of the leaderboard.
  static func colourClass(_ place: Int) -> String { "c\(place % light.count)" }

  /// The dashes of its line: they distinguish more algorithms than there are colours.
  static func dash(_ place: Int) -> String { dashes[place / light.count % dashes.count] }

  /// A small piece of the algorithm's line.
  static func swatch(_ place: Int) -> HTML {
    """
    <svg class="swatch \(colourClass(place))" viewBox="0 0 24 10" aria-hidden="true">\
    <line x1="1" y1="5" x2="23" y2="5" stroke-dasharray="\(dash(place))"/></svg>
    """
  }

  /// Style rules that define the colours, for light and for dark, and the classes that use them.
  static let style = """
    :root { \(variables(light)) }
    @media (prefers-color-scheme: dark) { :root { \(variables(dark)) } }
    \(light.indices.map { ".c\($0) { --colour: var(--c\($0)); }" }.joined(separator: "\n"))
    """

  private static func variables(_ colours: [String]) -> String {
    colours.enumerated().map { "--c\($0): \($1);" }.joined(separator: " ")
  }
}
