import Plotting

/// The colours of pages, which pictures have too, and the dashes that distinguish algorithms.
enum PagePalette {
  private static let count = Colours.light.series.count
  static let dashes = ["", "7 4", "2 3", "9 3 2 3"]

  /// The class whose style has the colour of the algorithm at a place of the leaderboard.
  static func colourClass(_ place: Int) -> String { "c\(place % count)" }

  /// The dashes of its line: they distinguish more algorithms than there are colours.
  static func dash(_ place: Int) -> String { dashes[place / count % dashes.count] }

  /// A small piece of the algorithm's line.
  static func swatch(_ place: Int) -> HTML {
    """
    <svg class="swatch \(colourClass(place))" viewBox="0 0 24 10" aria-hidden="true">\
    <line x1="1" y1="5" x2="23" y2="5" stroke-dasharray="\(dash(place))"/></svg>
    """
  }

  /// Style rules that define the colours, for light and for dark, and the classes that use them.
  static let style = """
    :root { \(variables(.light)) }
    @media (prefers-color-scheme: dark) { :root { \(variables(.dark)) } }
    \((0..<count).map { ".c\($0) { --colour: var(--c\($0)); }" }.joined(separator: "\n"))
    """

  private static func variables(_ colours: Colours) -> String {
    let named = [
      ("ink", colours.ink), ("soft", colours.soft), ("faint", colours.faint),
      ("grid", colours.grid), ("page", colours.page), ("halo", colours.page),
      ("wall", colours.wall), ("room", colours.room),
    ]
    let numbered = colours.series.enumerated().map { ("c\($0)", $1) }
    return (named + numbered).map { "--\($0): \($1);" }.joined(separator: " ")
  }
}
