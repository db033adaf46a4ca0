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
    let gnuplot = try Gnuplot(searchPath: searchPath)
    let picture = try gnuplot.draw(GnuplotScript(self, format: format).text)
    return switch format {
    case .svg: legal(picture)
    case .png: picture
    case .pdf: timeless(picture)
    }
  }
}

/// SVG without `]]>` in texts, which XML forbids and gnuplot lets pass.
private func legal(_ svg: [UInt8]) -> [UInt8] {
  let end = Array("]]>".utf8)
  return svg.contains(end) ? svg.replacing(end, with: Array("]]&gt;".utf8)) : svg
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
