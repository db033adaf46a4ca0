/// Which names are explained where.
struct Legends {
  /// Below the title of the chart: what stands for a colour of its own in each of several panels.
  private(set) var shared: [Series] = []
  /// Above each panel.
  private(set) var panels: [[Series]] = []

  init(_ chart: Chart, palette: Palette) {
    var seen: Set<String> = []
    // A name that a panel above explains already is not explained again.
    for panel in chart.panels {
      guard case .series(let series) = panel.content else {
        panels.append([])
        continue
      }
      // A line states more of a colour than the pale band about it.
      let lines = Set(series.filter { $0.shape.isLine }.map(\.name))
      let own = series.filter {
        !shown($0.name).isEmpty && ($0.shape.isLine || !lines.contains($0.name))
          && seen.insert("\($0.role) \($0.name)").inserted
      }
      // What was received is the same in all panels, too.
      func isShared(_ one: Series) -> Bool {
        palette.shared.contains(one.name) || one.role == .raw && !palette.shared.isEmpty
      }
      shared += own.filter(isShared)
      panels.append(own.filter { !isShared($0) })
    }
  }
}
