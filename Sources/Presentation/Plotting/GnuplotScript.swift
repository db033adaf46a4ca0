/// The commands and data with which gnuplot draws a chart.
///
/// The script places each part, so that all formats look alike and nothing covers the data.
struct GnuplotScript {
  private(set) var text = ""
  let layout: Layout
  let palette: Palette

  init(_ chart: Chart, format: PictureFormat) {
    palette = Palette(chart.panels)
    let legends = Legends(chart, palette: palette)
    layout = Layout(
      chart, legends: legends.panels.map { $0.map(\.name) }, shared: legends.shared.map(\.name))
    terminal(format, density: Double(chart.density))
    say("set encoding utf8")
    say("set multiplot")
    for (index, panel) in chart.panels.enumerated() {
      draw(
        panel, at: layout.places[index], legend: legends.panels[index],
        chartTitle: index == 0 ? chart.title : "", shared: index == 0 ? legends.shared : [])
    }
    say("unset multiplot")
  }

  mutating func say(_ line: String) { text += line + "\n" }

  /// Sets the kind of picture and its size.
  private mutating func terminal(_ format: PictureFormat, density: Double) {
    let (width, height) = (Int(layout.width), Int(layout.height))
    switch format {
    case .svg:
      say(
        "set terminal svg size \(width),\(height) noenhanced rounded background '\(Colours.light.page)'"
          + " font 'sans-serif,\(Layout.fontSize)'")
    case .png:
      let scale = "fontscale \(density * 0.75) linewidth \(density) pointscale \(density)"
      say(
        "set terminal pngcairo size \(width * Int(density)),\(height * Int(density)) noenhanced"
          + " rounded background '\(Colours.light.page)' font 'sans-serif,\(Layout.fontSize)' \(scale)"
      )
    case .pdf:
      say(
        "set terminal pdfcairo size \(Double(width) / 96)in,\(Double(height) / 96)in noenhanced"
          + " rounded background '\(Colours.light.page)' font 'sans-serif,\(Layout.fontSize)'"
          + " fontscale 0.56 linewidth 1.4")
    }
  }

  private mutating func draw(
    _ panel: Panel, at place: Layout.Place, legend: [Series], chartTitle: String,
    shared: [Series]
  ) {
    say("reset")
    for (one, entry) in zip(shared, layout.shared) { explain(one, at: entry) }
    if !chartTitle.isEmpty {
      label(
        chartTitle, at: "screen \(across(18)), screen \(up(22))",
        "font ',\(Layout.titleSize)' left")
    }
    if !panel.title.isEmpty {
      // As many letters as there is room for next to the next panel.
      let letters = Int((place.right - place.left) / (0.58 * Layout.fontSize))
      label(
        shortened(panel.title, limit: max(letters, 12)),
        at: "screen \(across(place.left)), screen \(up(place.titleY))", "left")
    }
    say("set lmargin at screen \(across(place.left))")
    say("set rmargin at screen \(across(place.right))")
    say("set tmargin at screen \(up(place.top))")
    say("set bmargin at screen \(up(place.bottom))")
    say("set border 3 linecolor '\(Colours.light.soft)' linewidth 1")
    say("set tics nomirror out scale 0.5 textcolor '\(Colours.light.ink)'")
    say("set grid xtics ytics back linetype 1 linecolor '\(Colours.light.grid)' linewidth 0.7")
    say("set xlabel \(quoted(panel.x.label)) offset 0,0.3 textcolor '\(Colours.light.ink)'")
    say("set format '%h'")
    say("set clip one\nset clip two\nunset key")
    switch panel.content {
    case .series(let series): draw(series, of: panel, at: place, legend: legend)
    case .bars(let bars): draw(bars, of: panel, at: place)
    }
  }

  mutating func label(_ text: String, at place: String, _ options: String) {
    say(
      "set label \(quoted(text, limit: 120)) at \(place) \(options) textcolor '\(Colours.light.ink)' front"
    )
  }

  func across(_ pixels: Double) -> Double { pixels / layout.width }
  func up(_ pixels: Double) -> Double { 1 - pixels / layout.height }
}

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
      // One row between gaps has no line: it is drawn as a point.
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

  /// Sets the scales and ranges of the axes.
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

  /// Writes data under a name; a blank line breaks a line, steps or a band.
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

  /// Returns the gnuplot style of a series with a number of rows.
  private func using(_ series: Series, rows: Int) -> String {
    let style = palette.style(series)
    switch series.shape {
    case .points:
      // A few points are larger, so that they stand out among raw ones.
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

  /// Writes an entry of the legend: a sample and a name.
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

extension GnuplotScript {
  /// Draws bars or points from the top down, with their values next to them.
  mutating func draw(_ bars: Bars, of panel: Panel, at place: Layout.Place) {
    let isPoint = bars.style == .points
    let hasLength = panel.x.scale == .linear && !isPoint
    var x = Extent(
      panel.x,
      of: [bars.values, bars.low ?? [], bars.high ?? []]
        + (hasLength ? [[0]] : []),
      margin: isPoint ? 0.04 : 0)
    if panel.x.range == nil, !isPoint {
      // Room for the value next to the longest bar; none before the start of bars.
      x.widen(below: hasLength && x.low == 0 ? 0 : 0.09, above: hasLength && x.high == 0 ? 0 : 0.09)
    }
    let y = Extent(Axis("", range: -0.6...Double(max(bars.labels.count, 1)) - 0.4), of: [])
    axes(x, Extent(Axis("", range: 0...1), of: []))
    say("set yrange [\(y.high):\(y.low)]")
    let names = bars.labels.enumerated().map { index, label in
      "\(quoted(bars.showsLabels ? shortened(label, limit: place.letters) : "", isFormat: true)) "
        + "\(index)"
    }
    say("set border \(isPoint ? 3 : 2)")
    if !isPoint { say("set grid noytics") }
    say(names.isEmpty ? "unset ytics" : "set ytics scale 0 (\(names.joined(separator: ", ")))")
    mark(panel, x, y)
    var plots: [String] = []
    for index in bars.values.indices where x.share(bars.values[index]) != nil {
      let end = isPoint ? point(index, of: bars, &plots) : bar(index, of: bars, x, &plots)
      say(
        "set label sprintf('%.\(bars.decimals)f', \(bars.values[index])) at \(end)"
          + " textcolor '\(Colours.light.ink)' front")
    }
    if plots.isEmpty { label("no data", at: "graph 0.5, graph 0.5", "center") }
    say("plot \(plots.isEmpty ? "1/0" : plots.joined(separator: ", \\\n  "))")
  }

  /// Draws one bar and its interval, and returns the place of its value.
  private mutating func bar(
    _ index: Int, of bars: Bars, _ x: Extent, _ plots: inout [String]
  ) -> String {
    let value = bars.values[index]
    let start = x.isLogarithmic ? x.low : 0
    let colour = palette.colour(ofBar: bars.labels[index])
    say("$b\(index) << EOD")
    say("\(value) \(index) \(min(start, value)) \(max(start, value))")
    say("EOD")
    plots.append(
      "$b\(index) using 1:2:3:4:($2-0.34):($2+0.34) with boxxyerror"
        + " fillstyle solid 0.85 noborder linecolor '\(colour)'")
    var end = value
    if let interval = bars.interval(index) {
      end = value < start ? min(value, interval.lowerBound) : max(value, interval.upperBound)
      say("$e\(index) << EOD")
      say("\(value) \(index) \(interval.lowerBound) \(interval.upperBound)")
      say("EOD")
      plots.append(
        "$e\(index) using 1:2:3:4 with xerrorbars pointtype 7 pointsize 0.1 linewidth 1.1"
          + " linecolor '\(Colours.light.ink)'")
    }
    let side = value < start ? "right offset character -0.6,0" : "left offset character 0.6,0"
    return "first \(end), first \(index) \(side)"
  }

  /// Draws one point and its interval, and returns the place of its value.
  private mutating func point(
    _ index: Int, of bars: Bars, _ plots: inout [String]
  ) -> String {
    let value = bars.values[index]
    let colour = palette.colour(ofBar: bars.labels[index])
    let interval = bars.interval(index) ?? value...value
    say("$p\(index) << EOD")
    say("\(value) \(index) \(interval.lowerBound) \(interval.upperBound)")
    say("EOD")
    plots.append(
      "$p\(index) using 3:2:($4-$3):(0) with vectors nohead linewidth 1.8 linecolor '\(colour)'")
    plots.append(
      "$p\(index) using 1:2 with points pointtype 7 pointsize 0.75 linecolor '\(colour)'")
    return "graph 1, first \(index) left offset character 0.8,0"
  }
}
