package import Support

/// A picture of one or more panels.
///
/// Texts are drawn literally, never interpreted.
package struct Chart: Equatable, Sendable {
  /// The arrangement of panels.
  package enum Arrangement: Equatable, Sendable {
    /// Below one another, with their plotting areas aligned.
    case stacked
    /// Next to one another, with plotting areas of one width.
    case row
    /// In rows with these numbers of panels, from the top down.
    case rows([Int])
  }

  package var title: String
  package var panels: [Panel]
  package var arrangement: Arrangement
  /// The width in pixels of an SVG, each 1/96 inch of a PDF; a PNG has `density` times as many.
  package var width: Int
  /// The height, in the unit of `width`; nil = as the panels need.
  package var height: Int?
  /// The pixels of a PNG for each of `width` and `height`.
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

/// The format of a picture file.
package enum PictureFormat: String, CaseIterable, Sendable {
  case svg, png, pdf

  /// Finds the format by the extension of a file's name, in upper or lower case.
  ///
  /// - Throws: `RSSIError` of kind `usage` for any other extension.
  package init(path: String) throws(RSSIError) {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, let format = Self(rawValue: ending.lowercased()) else {
      throw RSSIError(
        .usage, "cannot draw \(path): its name must end in .svg, .png or .pdf")
    }
    self = format
  }
}

extension Chart {
  /// Refuses charts that cannot be drawn.
  func check() throws(RSSIError) {
    guard !panels.isEmpty else { throw refusal("it has no panel; add one") }
    if case .rows(let lengths) = arrangement {
      guard lengths.allSatisfy((1...panels.count).contains),
        lengths.reduce(0, +) == panels.count
      else {
        throw refusal("its rows do not hold its panels; give lengths that sum up to their number")
      }
    }
    guard (200...10_000).contains(width), (150...10_000).contains(height ?? 150),
      (1...8).contains(density)
    else {
      throw refusal("its size is out of bounds; give 200 to 10000 by 150 to 10000, density 1 to 8")
    }
    for panel in panels {
      try check(panel.x)
      try check(panel.y)
      guard (20...10_000).contains(panel.height ?? 20) else {
        throw refusal("a panel's height is out of bounds; give 20 to 10000")
      }
      switch panel.content {
      case .series(let series):
        for one in series {
          let columns = one.shape.columns
          guard columns.y.allSatisfy({ $0.count == columns.x.count }) else {
            throw refusal("the columns of \(shown(one.name)) differ in length; give as many x as y")
          }
        }
      case .bars(let bars):
        let columns = [bars.values, bars.low ?? bars.values, bars.high ?? bars.values]
        guard columns.allSatisfy({ $0.count == bars.labels.count }) else {
          throw refusal("its bars' columns differ in length; give each label one value")
        }
        guard (0...15).contains(bars.decimals) else {
          throw refusal("\(bars.decimals) decimals are out of bounds; give 0 to 15")
        }
      }
    }
  }

  private func check(_ axis: Axis) throws(RSSIError) {
    guard let range = axis.range else { return }
    let lowest = axis.scale == .logarithmic ? 1e-150 : -1e150
    guard range.lowerBound > lowest, range.upperBound < 1e150 else {
      throw refusal(
        "the range of \(shown(axis.label)) cannot be drawn; give finite numbers,"
          + " above 0 on a logarithmic axis")
    }
  }

  private func refusal(_ problem: String) -> RSSIError {
    RSSIError(.usage, "cannot draw the chart: \(problem)")
  }
}

extension Chart {
  /// Draws the chart as a file of a format. Equal charts give equal bytes on one machine.
  ///
  /// - Throws: `RSSIError`, whose kind distinguishes a chart that cannot be drawn from a missing
  ///   gnuplot.
  package func picture(_ format: PictureFormat) throws(RSSIError) -> [UInt8] {
    try picture(format, searchPath: systemSearchPath)
  }

  func picture(_ format: PictureFormat, searchPath: String) throws(RSSIError) -> [UInt8] {
    try check()
    let picture = try DrawingProgram.gnuplot(searchPath: searchPath).draw(
      GnuplotScript(self, format: format).text)
    return switch format {
    case .svg: themed(legal(picture))
    case .png: picture
    case .pdf: timeless(picture)
    }
  }
}

extension PictureFormat {
  /// Returns the picture of an SVG as a file of this format.
  ///
  /// - Parameter svg: without style rules that SVG 1.1 does not have, such as variables.
  /// - Throws: `RSSIError` if the picture cannot be drawn, or rsvg-convert is missing.
  package func bytes(of svg: String) throws(RSSIError) -> [UInt8] {
    guard self != .svg else { return Array(svg.utf8) }
    let drawn = try DrawingProgram.svgConverter(self, searchPath: systemSearchPath).draw(svg)
    return self == .pdf ? timeless(drawn) : drawn
  }
}

/// Returns SVG without `]]>` in texts, which XML forbids and gnuplot lets pass.
private func legal(_ svg: [UInt8]) -> [UInt8] {
  let end = Array("]]>".utf8)
  return svg.contains(end) ? svg.replacing(end, with: Array("]]&gt;".utf8)) : svg
}

/// Returns SVG whose colours follow the reader's system, without the title that gnuplot adds.
private func themed(_ svg: [UInt8]) -> [UInt8] {
  var rules = ""
  for (light, dark) in Colours.inTheDark {
    for written in gnuplotForms(of: light) {
      for property in ["fill", "stroke", "color"] {
        rules += "[\(property)=\"\(written)\"]{\(property):\(dark)}"
      }
    }
  }
  let style = "<style>@media (prefers-color-scheme:dark){\(rules)}</style>"
  return svg.replacing(
    Array("<title>Gnuplot</title>".utf8), with: Array(style.utf8), maxReplacements: 1)
}

/// Returns the forms in which gnuplot writes a colour: numbers in columns, without columns, or as
/// given.
private func gnuplotForms(of colour: String) -> [String] {
  let numbers = stride(from: 1, to: 7, by: 2).map { place -> String in
    let start = colour.index(colour.startIndex, offsetBy: place)
    return String(Int(colour[start...].prefix(2), radix: 16) ?? 0)
  }
  let columns = numbers.map { String(repeating: " ", count: 3 - $0.count) + $0 }
  return [
    "rgb(\(columns.joined(separator: ", ")))", "rgb(\(numbers.joined(separator: ",")))", colour,
  ]
}

/// Returns PDF without its time of creation, blanked so that no other byte moves.
private func timeless(_ pdf: [UInt8]) -> [UInt8] {
  var pdf = pdf
  if let date = pdf.firstRange(of: Array("/CreationDate (".utf8)),
    let end = pdf[date.upperBound...].firstIndex(of: UInt8(ascii: ")"))
  {
    for index in date.lowerBound...end { pdf[index] = UInt8(ascii: " ") }
  }
  return pdf
}
