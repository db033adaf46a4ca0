/// The places of the parts of a chart, in pixels from the top left corner.
struct Layout {
  static let fontSize = 12.0
  static let titleSize = 15.0
  /// The width of a sample in the legend.
  static let sample = 22.0
  private static let lineHeight = 19.0
  private static let edge = 18.0
  /// The gap between rows.
  private static let gap = 14.0

  /// The places of one panel's parts.
  struct Place {
    /// The plotting area.
    var left = 0.0
    var right = 0.0
    var top = 0.0
    var bottom = 0.0
    var titleY = 0.0
    /// The number of letters of the labels of bars for which there is room.
    var letters = 0
    /// The left end and the middle of each entry of the legend.
    var entries: [(x: Double, y: Double)] = []
  }

  var width: Double
  var height: Double
  var places: [Place]
  /// The places of the entries of the shared legend.
  private(set) var shared: [(x: Double, y: Double)] = []

  /// - Parameters:
  ///   - legends: the names in the legend of each panel.
  ///   - shared: the names in the legend below the title.
  init(_ chart: Chart, legends: [[String]], shared names: [String] = []) {
    let panels = chart.panels
    width = Double(chart.width)
    height = 0
    places = panels.map { _ in Place() }
    var header = chart.title.isEmpty ? 8 : 42.0
    shared = Self.flow(names, from: Self.edge, to: width - Self.edge)
      .map { ($0.x, $0.y + header + Self.lineHeight / 2) }
    if let last = shared.last { header = last.y + Self.lineHeight / 2 + 12 }
    let rows = chart.rows
    // Panels that are alone in their rows have aligned plotting areas.
    let alone = rows.filter { $0.count == 1 }.map {
      Self.leftMargin(panels[$0.lowerBound], of: width)
    }
    var heads: [Double] = []
    var feet: [Double] = []
    var wishes: [Double] = []
    for row in rows {
      let margins = row.map { index in
        row.count == 1
          ? alone.max() ?? 0 : Self.leftMargin(panels[index], of: width / Double(row.count))
      }
      let ends = row.map { Self.rightMargin(panels[$0]) }
      let free = (width - (margins + ends).reduce(0, +)) / Double(max(row.count, 1))
      var start = 0.0
      for (column, index) in row.enumerated() {
        places[index].left = start + margins[column]
        places[index].right = places[index].left + free
        places[index].letters = Self.letters(within: margins[column])
        start = places[index].right + ends[column]
      }
      let gap = row.lowerBound == 0 ? 0 : Self.gap
      let head = row.map { place($0, panels[$0], legends[$0]) }.max() ?? 0
      heads.append(gap + head + 8)
      feet.append(row.map { panels[$0].x.label.isEmpty ? 32 : 52.0 }.max() ?? 0)
      wishes.append(row.map { Self.wish(panels[$0]) }.max() ?? 0)
    }
    let wished = rows.indices.reduce(0) { $0 + heads[$1] + feet[$1] + wishes[$1] }
    height = chart.height.map(Double.init) ?? (header + wished + 4)
    // A given height is shared in proportion to the needs of the panels.
    let stretch = (height - header - 4) / max(wished, 1)
    var above = header
    for (number, row) in rows.enumerated() {
      let whole = (heads[number] + feet[number] + wishes[number]) * stretch
      let gap = number == 0 ? 0 : Self.gap
      for index in row {
        places[index].titleY += above + gap
        for entry in places[index].entries.indices { places[index].entries[entry].y += above + gap }
        places[index].top = above + heads[number]
        places[index].bottom = max(places[index].top + 20, above + whole - feet[number])
      }
      above += whole
    }
  }

  /// Places title and legend of a panel below each other, and returns their height.
  private mutating func place(_ index: Int, _ panel: Panel, _ legend: [String]) -> Double {
    let title = panel.title.isEmpty ? 0 : 24.0
    places[index].titleY = 10
    let entries = Self.flow(legend, from: places[index].left, to: places[index].right)
    places[index].entries = entries.map { ($0.x, $0.y + title + Self.lineHeight / 2) }
    return title + (entries.last.map { $0.y + Self.lineHeight } ?? 0)
  }

  /// Returns the places of entries that follow one another like words.
  private static func flow(
    _ names: [String], from left: Double, to right: Double
  ) -> [(x: Double, y: Double)] {
    var next = (x: left, y: 0.0)
    return names.map { name in
      let width = Self.sample + 8 + textWidth(name, size: fontSize)
      if next.x > left, next.x + width > right { next = (left, next.y + lineHeight) }
      defer { next.x += width + 22 }
      return next
    }
  }

  /// Returns the height of a panel's plotting area in a chart without a height of its own.
  private static func wish(_ panel: Panel) -> Double {
    if let height = panel.height { return Double(height) }
    guard case .bars(let bars) = panel.content else { return 250 }
    return Double(max(bars.labels.count, 1)) * 24
  }

  private static func leftMargin(_ panel: Panel, of width: Double) -> Double {
    guard case .bars(let bars) = panel.content else { return panel.y.label.isEmpty ? 54 : 74 }
    guard bars.showsLabels else { return edge }
    let longest = bars.labels.map { textWidth(shortened($0, limit: 48), size: fontSize) }.max() ?? 0
    return min(longest + edge + 10, width * 0.6)
  }

  /// Returns the number of letters of a label for which a left margin has room.
  private static func letters(within margin: Double) -> Int {
    min(48, max(Int((margin - edge - 10) / (0.58 * fontSize) + 0.01), 4))
  }

  private static func rightMargin(_ panel: Panel) -> Double {
    guard case .bars(let bars) = panel.content, bars.style == .points else { return edge + 6 }
    let longest = bars.values.filter { abs($0) < 1e15 }.map { value in
      Double(String(Int(value)).count + bars.decimals + 2) * 0.58 * fontSize
    }
    return edge + (longest.max() ?? 6)
  }
}

/// The places at which names are explained.
struct Legends {
  /// The legend below the title of the chart: series with their own colour in each of several
  /// panels.
  private(set) var shared: [Series] = []
  /// The legend above each panel.
  private(set) var panels: [[Series]] = []

  init(_ chart: Chart, palette: Palette) {
    var seen: Set<String> = []
    // A name that a panel above explains is not explained again.
    for panel in chart.panels {
      guard case .series(let series) = panel.content else {
        panels.append([])
        continue
      }
      // A line shows more of a colour than the pale band around it.
      let lines = Set(series.filter { $0.shape.isLine }.map(\.name))
      let own = series.filter {
        !shown($0.name).isEmpty && ($0.shape.isLine || !lines.contains($0.name))
          && seen.insert("\($0.role.rawValue) \($0.name)").inserted
      }
      // Raw levels look the same in all panels, too.
      func isShared(_ one: Series) -> Bool {
        palette.shared.contains(one.name) || one.role == .raw && !palette.shared.isEmpty
      }
      shared += own.filter(isShared)
      panels.append(own.filter { !isShared($0) })
    }
  }
}
