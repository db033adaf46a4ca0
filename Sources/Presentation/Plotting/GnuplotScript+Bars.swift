extension GnuplotScript {
  /// Draws bars or points from the top down, their values beside them.
  mutating func draw(_ bars: Bars, of panel: Panel, at place: Layout.Place) {
    let isPoint = bars.style == .points
    let hasLength = panel.x.scale == .linear && !isPoint
    var x = Extent(
      panel.x,
      of: [bars.values, bars.low ?? [], bars.high ?? []]
        + (hasLength ? [[0]] : []),
      margin: isPoint ? 0.04 : 0)
    if panel.x.range == nil, !isPoint {
      // Room for the value beside the longest bar; nothing beyond where bars start.
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

  /// Draws one bar and its interval, and returns where its value is to be written.
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

  /// Draws one point and its interval, and returns where its value is to be written.
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
