package import Geometry
package import Support

/// What is wrong with a site.
extension RSSIError {
  package static func tooLong(path: String, limit: Int) -> RSSIError {
    RSSIError(
      .badInput, "the file has more than \(limit) bytes, too many for a site", in: path,
      advice: "check that it is the right file")
  }

  /// The file is not TOML, or describes an impossible site.
  ///
  /// - Parameters:
  ///   - line: the line, counted from 1.
  ///   - problem: a clause with what is wrong and what to do.
  package static func badSite(path: String, line: Int, problem: String) -> RSSIError {
    RSSIError(.badInput, problem, in: "\(path), line \(line)")
  }

  /// A place that no computation can use.
  package static func badPosition(_ point: Point) -> RSSIError {
    RSSIError(
      .badInput, "the place (\(point.x), \(point.y)) cannot be used",
      advice: "give finite coordinates in metres, at most 1000 km from the origin")
  }
}
