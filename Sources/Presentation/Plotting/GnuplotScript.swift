/// What gnuplot reads from its standard input to draw a chart: commands and data.
///
/// Where each part lies is decided here, so that the formats look alike and nothing covers the
/// data.
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

  /// Chooses the kind of picture and its size.
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
      // As many letters as there is room for beside the next panel.
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
