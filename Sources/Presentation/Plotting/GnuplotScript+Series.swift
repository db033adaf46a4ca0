extension GnuplotScript {
  /// Draws series and the legend that explains them.
  mutating func draw(
    _ series: [Series], of panel: Panel, at place: Layout.Place, legend: [Series]
  ) {
    let columns = series.map { $0.shape.columns }
    let x = Extent(panel.x, of: columns.map(\.x), margin: 0.01)
    let y = Extent(panel.y, of: columns.flatMap(\.y), margin: 0.05)
    axes(x, y)
    mark(panel, x, y)
    say("set ylabel \(quoted(panel.y.label)) textcolor '\(Colours.light.ink)'")
    for (one, entry) in zip(legend, place.entries) { explain(one, at: entry) }
    let thinning = Thinning(
      x: x, y: y, width: Int(place.right - place.left), height: Int(place.bottom - place.top))
    var plots: [String] = []
    for (index, one) in series.enumerated() {
      let pieces = thinning.pieces(one.shape)
      guard !pieces.isEmpty else { continue }
      let hasTwoEnds = one.shape.columns.y.count == 2
      // One row between gaps is not a line: it is drawn as a point, so that it is not lost.
      let alone = one.shape.isLine ? pieces.filter { $0.count == 1 } : []
      let drawn = one.shape.isLine ? pieces.filter { $0.count > 1 } : pieces
      if !drawn.isEmpty {
        block("$d\(index)", drawn, hasTwoEnds: hasTwoEnds)
        plots.append("$d\(index) \(using(one, rows: drawn.reduce(0) { $0 + $1.count }))")
      }
      if !alone.isEmpty {
        block("$a\(index)", alone, hasTwoEnds: false)
        let colour = palette.style(one).colour
        plots.append("$a\(index) with points pointtype 7 pointsize 0.2 linecolor '\(colour)'")
      }
    }
    if plots.isEmpty {
      label("no data", at: "graph 0.5, graph 0.5", "center")
      plots.append("1/0")
    }
    say("plot \(plots.joined(separator: ", \\\n  "))")
  }

  /// Scales the axes and shows what they span.
  mutating func axes(_ x: Extent, _ y: Extent) {
    for (name, extent) in [("x", x), ("y", y)] {
      if extent.isLogarithmic {
        say("set logscale \(name) 10")
        let ticks = extent.logarithmicTicks.map { "\($0)" }.joined(separator: ", ")
        if !ticks.isEmpty { say("set \(name)tics (\(ticks))") }
      }
      say("set \(name)range [\(extent.low):\(extent.high)]")
    }
  }

  /// Draws the lines that cross a panel.
  mutating func mark(_ panel: Panel, _ x: Extent, _ y: Extent) {
    let style = "nohead front linewidth 1 dashtype 2 linecolor '\(Colours.light.ink)'"
    if let at = panel.x.mark, x.contains(at) {
      say("set arrow from first \(at), graph 0 to first \(at), graph 1 \(style)")
    }
    if let at = panel.y.mark, y.contains(at) {
      say("set arrow from graph 0, first \(at) to graph 1, first \(at) \(style)")
    }
  }

  /// Data under a name; a blank line breaks a line, steps or a band.
  private mutating func block(_ name: String, _ pieces: [[Row]], hasTwoEnds: Bool) {
    say("\(name) << EOD")
    for (index, piece) in pieces.enumerated() {
      if index > 0 { say("") }
      for row in piece {
        say(hasTwoEnds ? "\(row.x) \(row.low) \(row.high)" : "\(row.x) \(row.low)")
      }
    }
    say("EOD")
  }

  /// How a series of so many rows is drawn.
  private func using(_ series: Series, rows: Int) -> String {
    let style = palette.style(series)
    switch series.shape {
    case .points:
      // A few are larger, so that they are not lost among raw ones.
      let size = series.role == .raw ? 0.22 : rows > 200 ? 0.35 : 0.6
      return "with points pointtype 7 pointsize \(size) linecolor '\(style.colour)'"
    case .line: return "with lines \(stroke(series))"
    case .steps: return "with steps \(stroke(series))"
    case .band:
      return "with filledcurves fillstyle transparent solid \(palette.opacity(series)) noborder"
        + " linecolor '\(style.colour)'"
    case .whiskers:
      return "using 1:2:(0):($3-$2) with vectors nohead linewidth 1 linecolor '\(style.colour)'"
    }
  }

  private func stroke(_ series: Series) -> String {
    let style = palette.style(series)
    let width = series.role == .truth ? 1.8 : series.role == .raw ? 1 : 1.6
    return "linewidth \(width) dashtype \(style.dash) linecolor '\(style.colour)'"
  }

  /// An entry of the legend: a sample and a name.
  mutating func explain(_ series: Series, at entry: (x: Double, y: Double)) {
    let colour = palette.legendColour(series)
    func place(_ x: Double, _ y: Double) -> String { "screen \(across(x)), screen \(up(y))" }
    let end = entry.x + Layout.sample
    switch series.shape {
    case .points:
      let middle = place(entry.x + Layout.sample / 2, entry.y)
      say("set label '' at \(middle) point pointtype 7 pointsize 0.5 linecolor '\(colour)'")
    case .line, .steps:
      say(
        "set arrow from \(place(entry.x, entry.y)) to \(place(end, entry.y)) nohead"
          + " \(stroke(series))")
    case .band:
      say(
        "set object rectangle from \(place(entry.x, entry.y - 5)) to \(place(end, entry.y + 5))"
          + " fillcolor '\(colour)' fillstyle transparent solid \(palette.opacity(series)) noborder"
      )
    case .whiskers:
      let middle = entry.x + Layout.sample / 2
      say(
        "set arrow from \(place(middle, entry.y - 6)) to \(place(middle, entry.y + 6)) nohead"
          + " linewidth 1 linecolor '\(colour)'")
    }
    label(series.name, at: place(end + 8, entry.y), "left")
  }
}
