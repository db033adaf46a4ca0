/// The colours of pictures and pages on white, and their replacements if the reader's system is set
/// to dark.
///
/// Series have the colours of Okabe and Ito (Color Universal Design, 2008), which people of every
/// colour vision distinguish, darkened or lightened for contrast with the page.
package struct Colours: Sendable {
  package let page, ink, soft, faint, grid, wall, room: String
  let raw, truth, undrawn: String
  /// Blue, vermilion, bluish green, reddish purple, orange, sky blue, olive, grey.
  package let series: [String]

  package static let light = Colours(
    page: "#ffffff", ink: "#1b1f24", soft: "#59636e", faint: "#d6dbe1", grid: "#e7eaee",
    wall: "#3d444d", room: "#f1f4f8", raw: "#9a9a9a", truth: "#000000", undrawn: "#c3cad3",
    series: [
      "#0072b2", "#c65000", "#00805e", "#b04c86", "#c68400", "#2f8fc4", "#6b6b00", "#5f5f5f",
    ])
  package static let dark = Colours(
    page: "#14171b", ink: "#e8ebef", soft: "#a2acb8", faint: "#3b434d", grid: "#262c33",
    wall: "#c3cad3", room: "#1a1f26", raw: "#7d8792", truth: "#fafafa", undrawn: "#4a545e",
    series: [
      "#4f9dff", "#ff8a3d", "#2fc99a", "#f09ac9", "#f0b429", "#86e8ff", "#e4dc5c", "#b0b0b0",
    ])

  /// Each colour of a chart with its replacement in the dark.
  static let inTheDark = Array(zip(light.ofCharts, dark.ofCharts))

  private var ofCharts: [String] { [page, ink, soft, grid, raw, truth, undrawn] + series }
}

/// The assignment of colours to the series of a chart.
struct Palette {
  static let raw = Colours.light.raw
  static let truth = Colours.light.truth
  static let several = Colours.light.soft
  static let compared = Colours.light.series

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

  /// Returns the colour and gnuplot's dash type of a series; dashes distinguish more series than
  /// colours can.
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
    // A bar without a series elsewhere has no colour of a series.
    guard let place = places[label] ?? (places.isEmpty ? 0 : nil) else {
      return Colours.light.undrawn
    }
    return Self.compared[place % Self.compared.count]
  }

  /// Returns the colour of a series in the legend: grey if its name has several colours.
  func legendColour(_ series: Series) -> String {
    shared.contains(series.name) ? Self.several : style(series).colour
  }

  /// Returns the opacity of a band's filling.
  func opacity(_ series: Series) -> Double { series.isPale ? 0.13 : 0.22 }
}
