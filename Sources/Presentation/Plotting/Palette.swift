/// The colours of pictures and pages on white, and what stands for each where the reader's system is
/// set to dark.
///
/// Series have those of Okabe and Ito (Color Universal Design, 2008), which people of every colour
/// vision distinguish, darkened or lightened for contrast with the page.
package enum Colours {
  /// Blue, vermilion, bluish green, reddish purple, orange, sky blue, olive, grey.
  package static let series = [
    "#0072b2", "#c65000", "#00805e", "#b04c86", "#c68400", "#2f8fc4", "#6b6b00", "#5f5f5f",
  ]
  package static let darkSeries = [
    "#4db3f0", "#ff8a3d", "#2fc99a", "#f09ac9", "#f0b429", "#9ad7f7", "#e4dc5c", "#b0b0b0",
  ]
  static let page = "#ffffff"
  static let ink = "#1b1f24"
  static let soft = "#59636e"
  static let grid = "#e7eaee"
  static let raw = "#9a9a9a"
  static let truth = "#000000"
  static let undrawn = "#c3cad3"

  /// Each colour of a chart with what stands for it in the dark.
  static let inTheDark =
    [
      (page, "#14171b"), (ink, "#e8ebef"), (soft, "#a2acb8"), (grid, "#262c33"), (raw, "#7d8792"),
      (truth, "#fafafa"),
      (undrawn, "#4a545e"),
    ] + zip(series, darkSeries)
}

/// Which colours the series of a chart have.
struct Palette {
  static let raw = Colours.raw
  static let truth = Colours.truth
  static let several = Colours.soft
  static let compared = Colours.series

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

  /// The colour and gnuplot's dash type of a series; dashes distinguish more than the colours can.
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
    if let colour = fixed[label] { return colour }
    // A bar of what is drawn nowhere else has no colour of a series.
    guard let place = places[label] ?? (places.isEmpty ? 0 : nil) else { return Colours.undrawn }
    return Self.compared[place % Self.compared.count]
  }

  /// The colour of a series in the legend: grey where its name stands for several colours.
  func legendColour(_ series: Series) -> String {
    shared.contains(series.name) ? Self.several : style(series).colour
  }

  /// Of a band's filling.
  func opacity(_ series: Series) -> Double { series.isPale ? 0.13 : 0.22 }
}
