import Plotting

/// The style of a floor plan that is a file of its own.
///
/// Plain rules, unlike those of a page: what draws or prints SVG elsewhere has no variables.
enum PlanStyle {
  static let text = HTML(
    trusted: rules(
      ink: "#1b1f24", soft: "#59636e", faint: "#d6dbe1", grid: "#e7eaee", page: "#ffffff",
      wall: "#3d444d", room: "#f1f4f8", Colours.series)
      + "@media (prefers-color-scheme: dark) {\n"
      + rules(
        ink: "#e8ebef", soft: "#a2acb8", faint: "#3b434d", grid: "#262c33", page: "#14171b",
        wall: "#c3cad3", room: "#1a1f26", Colours.darkSeries)
      + ".floor { filter: invert(1) hue-rotate(180deg); }\n}\n")

  private static func rules(
    ink: String, soft: String, faint: String, grid: String, page: String, wall: String,
    room: String, _ series: [String]
  ) -> String {
    """
    .page { fill: \(page); }
    text { font: 15px system-ui, sans-serif; fill: \(soft); paint-order: stroke; stroke: \(page); stroke-width: 4px; stroke-linejoin: round; }
    .floor { opacity: 0.7; }
    .grid { stroke: \(grid); stroke-width: 1; }
    text.axis { font-size: 12px; }
    .bounds { fill: none; stroke: \(faint); stroke-width: 1.5; stroke-dasharray: 8 6; }
    .room { fill: \(room); stroke: none; }
    .floor ~ .room { fill: none; stroke: \(faint); }
    .room-name { font-size: 17px; }
    .wall { fill: none; stroke: \(wall); stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
    .spot path { fill: none; stroke: \(soft); stroke-width: 2; }
    .anchor path { fill: \(ink); }
    .scale-bar line { stroke: \(ink); stroke-width: 3; }
    .joined { fill: none; stroke: currentColor; stroke-width: 1.4; opacity: 0.55; stroke-linejoin: round; }
    .cloud { stroke: currentColor; stroke-width: 7; stroke-linecap: round; opacity: 0.4; }
    .cloud.dense { stroke-width: 4; opacity: 0.25; }
    \(series.enumerated().map { ".c\($0) { color: \($1); }" }.joined(separator: "\n"))

    """
  }
}
