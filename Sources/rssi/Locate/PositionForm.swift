import Support

/// Where positions are written, and as what, told by the name of the file.
enum PositionForm: Equatable {
  case table(String)
  case lines(String)
  case trace(String)

  /// - Throws: `RSSIError` for a name that tells no form.
  init(path: String) throws {
    let name = path.lowercased()
    switch true {
    case path == "-", name.hasSuffix(".ndjson"), name.hasSuffix(".jsonl"): self = .lines(path)
    case name.hasSuffix(".csv"): self = .table(path)
    case name.hasSuffix(".h5"), name.hasSuffix(".hdf5"): self = .trace(path)
    default:
      throw RSSIError(
        .usage,
        "-o \(path): name a file that ends in .csv, .ndjson or .h5 (a trace), or - for lines of "
          + "JSON"
      )
    }
  }

  var isStandardOutput: Bool { self == .lines("-") }

  /// Gives a function that writes positions, to a file that appears only when it is whole.
  func write(_ body: (@escaping (LocatedPosition) throws -> Void) throws -> Void) throws {
    switch self {
    case .table(let path):
      try writeOutput(to: path) { write in
        try write(LocatedPosition.header)
        try withoutActuallyEscaping(write) { write in try body { try write($0.csv) } }
      }
    case .lines(let path):
      try writeOutput(to: path) { write in
        try withoutActuallyEscaping(write) { write in try body { try write($0.line) } }
      }
    case .trace(let path):
      throw RSSIError(
        .usage, "\(path) is a trace, which positions are written into as a whole")
    }
  }
}
