package import Support

extension Chart {
  /// Draws the chart: the bytes of a file of a format. The same chart gives the same bytes on one
  /// machine.
  ///
  /// - Throws: a `RSSIError`, whose kind distinguishes a chart that cannot be drawn from a
  ///   missing gnuplot.
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
  /// The bytes of a file of this format with the picture of an SVG.
  ///
  /// - Parameter svg: without style rules that SVG 1.1 does not have, such as variables.
  /// - Throws: a `RSSIError` where the picture cannot be drawn, or rsvg-convert is missing.
  package func bytes(of svg: String) throws(RSSIError) -> [UInt8] {
    guard self != .svg else { return Array(svg.utf8) }
    let drawn = try DrawingProgram.svgConverter(self, searchPath: systemSearchPath).draw(svg)
    return self == .pdf ? timeless(drawn) : drawn
  }
}

/// SVG without `]]>` in texts, which XML forbids and gnuplot lets pass.
private func legal(_ svg: [UInt8]) -> [UInt8] {
  let end = Array("]]>".utf8)
  return svg.contains(end) ? svg.replacing(end, with: Array("]]&gt;".utf8)) : svg
}

/// SVG whose colours change with the reader's system, and without the title that gnuplot gives it.
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

/// A colour as gnuplot writes it: numbers in columns, without columns, or as it was given.
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

/// PDF without the time at which it was made, blanked so that no other byte moves.
private func timeless(_ pdf: [UInt8]) -> [UInt8] {
  var pdf = pdf
  if let date = pdf.firstRange(of: Array("/CreationDate (".utf8)),
    let end = pdf[date.upperBound...].firstIndex(of: UInt8(ascii: ")"))
  {
    for index in date.lowerBound...end { pdf[index] = UInt8(ascii: " ") }
  }
  return pdf
}
