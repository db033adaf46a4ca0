package import Support

/// A file for positions, in the form that its name ends in.
package enum PositionForm: Equatable, Sendable {
  case table(String)
  case lines(String)
  case trace(String)

  /// - Throws: `RSSIError` for a name that ends in no known form.
  package init(path: String) throws(RSSIError) {
    let name = path.lowercased()
    switch true {
    case path == "-", name.hasSuffix(".ndjson"), name.hasSuffix(".jsonl"): self = .lines(path)
    case name.hasSuffix(".csv"): self = .table(path)
    case name.hasSuffix(".h5"), name.hasSuffix(".hdf5"): self = .trace(path)
    default:
      throw RSSIError(
        .usage,
        "-o \(path): name a file that ends in .csv, .ndjson or .h5 (a trace), or - for lines of "
          + "JSON")
    }
  }

  package var isStandardOutput: Bool { self == .lines("-") }
}
