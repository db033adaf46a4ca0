import Filtering
import Support
import TraceStore

/// Returns the filter whose levels of a file are used; nil = the raw ones.
///
/// - Parameter requested: a name, or `none`; nil = the file's only filter, if it has one.
func chosenFilter(_ requested: String?, of reader: TraceReader) throws -> String? {
  if requested == "none" { return nil }
  if let requested {
    try requireFilter(requested, of: reader)
    return requested
  }
  let names = reader.filterNames()
  guard names.count < 2 else {
    throw RSSIError(
      .usage,
      "\(reader.path) has the levels of several filters: choose with `filtered` "
        + names.joined(separator: ", ") + " or none")
  }
  return names.first
}

extension TraceReader {
  /// Returns whether levels of a filter depend on later sightings.
  func usesLaterSightings(_ filter: String) -> Bool {
    filterChain(filter).contains { written in
      (try? FilterSpecification(written)).map { !$0.kind.isCausal } ?? false
    }
  }
}
