/// Where the parts of a chart lie, in pixels from the top left corner.
struct Layout {
  static let fontSize = 12.0
  static let titleSize = 15.0
  /// The width of a sample in the legend.
  static let sample = 22.0
  private static let lineHeight = 19.0
  private static let edge = 18.0

  /// Where one panel's parts lie.
  struct Place {
    /// The plotting area.
    var left = 0.0
    var right = 0.0
    var top = 0.0
    var bottom = 0.0
    var titleY = 0.0
    /// The left end and the middle of each entry of the legend.
    var entries: [(x: Double, y: Double)] = []
  }

  var width: Double
  var height: Double
  var places: [Place]

  /// - Parameter legends: of each panel, the names in its legend.
  init(_ chart: Chart, legends: [[String]]) {
    let panels = chart.panels
    let isRow = chart.arrangement == .row
    let header = chart.title.isEmpty ? 8 : 42.0
    width = Double(chart.width)
    let outer = isRow ? width / Double(max(panels.count, 1)) : width
    let margins = panels.map { Self.leftMargin($0, of: outer) }
    var heads: [Double] = []
    var places: [Place] = []
    for (index, panel) in panels.enumerated() {
      var place = Place()
      place.left = Double(isRow ? index : 0) * outer + (isRow ? margins[index] : margins.max() ?? 0)
      place.right = Double(isRow ? index + 1 : 1) * outer - Self.edge - 6
      let title = panel.title.isEmpty ? 0 : 24.0
      place.titleY = 10
      place.entries = Self.flow(legends[index], from: place.left, to: place.right)
      let legend = place.entries.last.map { $0.y + Self.lineHeight } ?? 0
      for entry in place.entries.indices { place.entries[entry].y += title + Self.lineHeight / 2 }
      heads.append((isRow || index == 0 ? 0 : 14) + title + legend + 8)
      places.append(place)
    }
    let feet = panels.map { $0.x.label.isEmpty ? 32 : 52.0 }
    let wishes = panels.indices.map { heads[$0] + feet[$0] + Self.wish(panels[$0]) }
    let wished = isRow ? wishes.max() ?? 0 : wishes.reduce(0, +)
    height = chart.height.map(Double.init) ?? (header + wished + 4)
    // A given height is shared in proportion to what the panels need.
    let stretch = (height - header - 4) / max(wished, 1)
    var above = header
    let head = heads.max() ?? 0
    for index in places.indices {
      let whole = isRow ? height - header - 4 : wishes[index] * stretch
      let gap = isRow || index == 0 ? 0 : 14.0
      places[index].titleY += above + gap
      for entry in places[index].entries.indices { places[index].entries[entry].y += above + gap }
      places[index].top = above + (isRow ? head : heads[index])
      places[index].bottom = max(places[index].top + 20, above + whole - feet[index])
      if !isRow { above += whole }
    }
    self.places = places
  }

  /// Where entries lie that follow one another like words.
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

  /// The height that a panel's plotting area has if none is given.
  private static func wish(_ panel: Panel) -> Double {
    guard case .bars(let bars) = panel.content else { return 250 }
    return Double(max(bars.labels.count, 1)) * 24
  }

  private static func leftMargin(_ panel: Panel, of width: Double) -> Double {
    guard case .bars(let bars) = panel.content else { return panel.y.label.isEmpty ? 54 : 74 }
    let longest = bars.labels.map { textWidth($0, size: fontSize) }.max() ?? 0
    return min(longest + edge + 10, width * 0.5)
  }
}
