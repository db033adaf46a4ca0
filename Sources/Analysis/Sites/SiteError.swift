public import Positioning

/// Why a site could not be read or used.
public enum SiteError: Error, Equatable, Sendable {
  case notFound(path: String)
  case isDirectory(path: String)
  case permissionDenied(path: String)
  case readFailed(path: String, reason: String)
  case tooLong(path: String, limit: Int)
  /// The file is no TOML, or says what a site cannot be.
  ///
  /// - Parameters:
  ///   - line: the line, counted from 1.
  ///   - problem: a clause that says what is wrong and what to do.
  case badSite(path: String, line: Int, problem: String)
  /// A place that no computation can use.
  case badPosition(Point)
}

extension SiteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let path): "There is no file \(path); check the name."
    case .isDirectory(let path): "\(path) is a directory; name the site file in it."
    case .permissionDenied(let path):
      "Permission to open \(path) is denied; change its mode or its owner."
    case .readFailed(let path, let reason):
      "Reading \(path) failed (\(reason)); check the disk it is on."
    case .tooLong(let path, let limit):
      "\(path) has more than \(limit) bytes, too many for a site; check that it is the right file."
    case .badSite(let path, let line, let problem): "\(path), line \(line): \(problem)."
    case .badPosition(let point):
      "The place (\(point.x), \(point.y)) cannot be used; give finite coordinates in metres, at "
        + "most 1000 km from the origin."
    }
  }
}
