extension GnuplotScript {
  /// Draws bars from the top down, their values beside them.
  mutating func draw(_ bars: Bars, of panel: Panel) {
    let hasLength = panel.x.scale == .linear
    var x = Extent(
      panel.x, of: [bars.values, bars.low ?? [], bars.high ?? []] + (hasLength ? [[0]] : []))
    if panel.x.range == nil {
      // Room for the value beside the longest bar; nothing beyond where bars start.
      x.widen(below: hasLength && x.low == 0 ? 0 : 0.09, above: hasLength && x.high == 0 ? 0 : 0.09)
    }
    let y = Extent(Axis("", range: -0.6...Double(max(bars.labels.count, 1)) - 0.4), of: [])
    axes(x, Extent(Axis("", range: 0...1), of: []))
    say("set yrange [\(y.high):\(y.low)]")
    let names = bars.labels.enumerated().map { "\(quoted($1, limit: 48, isFormat: true)) \($0)" }
    say("set border 2")
    say("set grid noytics")
    say(names.isEmpty ? "unset ytics" : "set ytics scale 0 (\(names.joined(separator: ", ")))")
    let start = x.isLogarithmic ? x.low : 0
    var plots: [String] = []
    for (index, value) in bars.values.enumerated() where x.share(value) != nil {
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
            + " linecolor '#303030'")
      }
      let side = value < start ? "right offset character -0.6,0" : "left offset character 0.6,0"
      say(
        "set label sprintf('%.\(bars.decimals)f', \(value)) at first \(end), first \(index) \(side)"
          + " textcolor '#303030' front")
    }
    if plots.isEmpty { label("no data", at: "graph 0.5, graph 0.5", "center") }
    say("plot \(plots.isEmpty ? "1/0" : plots.joined(separator: ", \\\n  "))")
  }
}
