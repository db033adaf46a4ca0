import Plotting

/// The style of a floor plan that is a file of its own.
///
/// Plain rules, unlike those of a page: what draws or prints SVG elsewhere has no variables.
enum PlanStyle {
  static let text = HTML(
    trusted: rules(.light) + "@media (prefers-color-scheme: dark) {\n" + rules(.dark)
      + ".floor { filter: invert(1) hue-rotate(180deg); }\n}\n")

  private static func rules(_ colours: Colours) -> String {
    """
    .page { fill: \(colours.page); }
    text { font: 15px system-ui, sans-serif; fill: \(colours.soft); paint-order: stroke; stroke: \(colours.page); stroke-width: 4px; stroke-linejoin: round; }
    .floor { opacity: 0.7; }
    .grid { stroke: \(colours.grid); stroke-width: 1; }
    text.axis { font-size: 12px; }
    .bounds { fill: none; stroke: \(colours.faint); stroke-width: 1.5; stroke-dasharray: 8 6; }
    .room { fill: \(colours.room); stroke: none; }
    .floor ~ .room { fill: none; stroke: \(colours.faint); }
    .room-name { font-size: 17px; }
    .wall { fill: none; stroke: \(colours.wall); stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
    .spot path { fill: none; stroke: \(colours.soft); stroke-width: 2; }
    .anchor path { fill: \(colours.ink); }
    .scale-bar line { stroke: \(colours.ink); stroke-width: 3; }
    .joined { fill: none; stroke: currentColor; stroke-width: 1.4; opacity: 0.55; stroke-linejoin: round; }
    .cloud { stroke: currentColor; stroke-width: 7; stroke-linecap: round; opacity: 0.4; }
    .cloud.dense { stroke-width: 4; opacity: 0.25; }
    \(colours.series.enumerated().map { ".c\($0) { color: \($1); }" }.joined(separator: "\n"))

    """
  }
}
