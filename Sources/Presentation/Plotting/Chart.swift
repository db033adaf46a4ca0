/// A picture of one or more panels.
///
/// Every text in it is data: it is drawn as it is, never interpreted.
package struct Chart: Equatable, Sendable {
  /// How panels lie.
  package enum Arrangement: Equatable, Sendable {
    /// Below one another, with their plotting areas aligned.
    case stacked
    /// Beside one another, with plotting areas of one width.
    case row
    /// In rows of so many panels each, from the top down.
    case rows([Int])
  }

  package var title: String
  package var panels: [Panel]
  package var arrangement: Arrangement
  /// Pixels of an SVG, each 1/96 inch of a PDF; a PNG has `density` times as many.
  package var width: Int
  /// As `width`; what the panels need where nil.
  package var height: Int?
  /// Pixels of a PNG for each of `width` and `height`.
  package var density: Int

  package init(
    title: String = "", panels: [Panel], arrangement: Arrangement = .stacked, width: Int = 900,
    height: Int? = nil, density: Int = 2
  ) {
    self.title = title
    self.panels = panels
    self.arrangement = arrangement
    self.width = width
    self.height = height
    self.density = density
  }
}

extension Chart {
  /// The numbers of the panels in each row.
  var rows: [Range<Int>] {
    let lengths =
      switch arrangement {
      case .stacked: panels.map { _ in 1 }
      case .row: [panels.count]
      case .rows(let lengths): lengths
      }
    var rows: [Range<Int>] = []
    for length in lengths {
      let start = rows.last?.upperBound ?? 0
      rows.append(start..<start + length)
    }
    return rows
  }
}
