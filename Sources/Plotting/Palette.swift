/// The colours of a chart: those of Okabe and Ito (Color Universal Design, 2008), which people of
/// every colour vision tell apart.
struct Palette {
  static let raw = "#9a9a9a"
  static let truth = "#000000"
  /// Blue, vermilion, bluish green, orange, reddish purple, sky blue, yellow: the palest last.
  static let compared = [
    "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#f0e442",
  ]

  /// The place of each name among the compared series, in order of appearance.
  private var places: [String: Int] = [:]
  /// Colours of the names that are not compared.
  private var fixed: [String: String] = [:]

  init(_ panels: [Panel]) {
    for case .series(let series) in panels.map(\.content) {
      for one in series {
        switch one.role {
        case .raw: fixed[one.name] = Self.raw
        case .truth: fixed[one.name] = Self.truth
        case .compared where places[one.name] == nil: places[one.name] = places.count
        case .compared: break
        }
      }
    }
  }

  /// The colour and gnuplot's dash type of a series; dashes tell apart more than the colours can.
  func style(_ series: Series) -> (colour: String, dash: Int) {
    switch series.role {
    case .raw: return (Self.raw, 1)
    case .truth: return (Self.truth, 1)
    case .compared:
      let place = places[series.name] ?? 0
      return (
        Self.compared[place % Self.compared.count], 1 + place / Self.compared.count % 5
      )
    }
  }

  /// The colour of the bar of a label.
  func colour(ofBar label: String) -> String {
    fixed[label] ?? Self.compared[(places[label] ?? 0) % Self.compared.count]
  }
}
