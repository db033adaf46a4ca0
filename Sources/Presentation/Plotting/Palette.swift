/// The colours of a chart: those of Okabe and Ito (Color Universal Design, 2008), which people of
/// every colour vision tell apart.
struct Palette {
  static let raw = "#9a9a9a"
  static let truth = "#000000"
  static let several = "#5f5f5f"
  /// Blue, vermilion, bluish green, orange, reddish purple, sky blue, yellow: the palest last.
  static let compared = [
    "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#f0e442",
  ]

  /// The place of each colour name among the compared series, in order of appearance.
  private var places: [String: Int] = [:]
  /// Names of compared series that have more than one colour.
  private(set) var shared: Set<String> = []
  /// Colours of the names that are not compared.
  private var fixed: [String: String] = [:]

  init(_ panels: [Panel]) {
    var colours: [String: String] = [:]
    for case .series(let series) in panels.map(\.content) {
      for one in series {
        if one.role == .compared, colours[one.name] ?? one.colourName != one.colourName {
          shared.insert(one.name)
        }
        colours[one.name] = one.colourName
        switch one.role {
        case .raw: fixed[one.colourName] = Self.raw
        case .truth: fixed[one.colourName] = Self.truth
        case .compared where places[one.colourName] == nil: places[one.colourName] = places.count
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
      let place = places[series.colourName] ?? 0
      return (
        Self.compared[place % Self.compared.count], 1 + place / Self.compared.count % 5
      )
    }
  }

  /// The colour of the bar of a label.
  func colour(ofBar label: String) -> String {
    fixed[label] ?? Self.compared[(places[label] ?? 0) % Self.compared.count]
  }

  /// The colour of a series in the legend: grey where its name stands for several colours.
  func legendColour(_ series: Series) -> String {
    shared.contains(series.name) ? Self.several : style(series).colour
  }

  /// Of a band's filling.
  func opacity(_ series: Series) -> Double { series.isPale ? 0.13 : 0.22 }
}
