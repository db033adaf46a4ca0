internal import CHDF5
import Support

/// A copy of a trace, open for adding to it; it gets its name when it is whole, in place of the
/// trace itself where that is its name.
struct TraceCopy: ~Copyable {
  private var output: AtomicFile
  private let source: TraceReader
  private let file: Handle

  /// Copies a trace.
  ///
  /// - Parameters:
  ///   - path: where the copy will be; may be the source's own path.
  ///   - step: what is done to it, added to the provenance.
  init(
    of source: TraceReader, to path: String, adding step: Provenance
  ) throws(RSSIError) {
    let output = try Self.file(of: source, at: path)
    let properties = try writeAccess(path)
    let file = try blaming(source.path) { () throws(RSSIError) in
      let file = Handle(
        try check(
          H5Fopen(output.temporaryPath, chdf5_read_write(), properties.id), "write", path),
        close: H5Fclose)
      try output.requireSame(as: chdf5_descriptor(file.id))
      try ProvenanceTables(in: file, mode: .open(.closed), path: path).append(step)
      return file
    }
    self.source = source
    self.output = output
    self.file = file
  }

  private static func file(of source: TraceReader, at path: String) throws(RSSIError) -> AtomicFile
  {
    // What a writer left open, or is writing, cannot be copied byte by byte.
    guard source.isClean else {
      return try packed(source, to: path, adding: nil).close(source.catalogue)
    }
    let output = try AtomicFile(path: path)
    try copyFile(source.path, to: output.temporaryPath, named: path)
    return output
  }

  /// Changes the copy.
  func change<Result>(
    _ body: (Handle) throws(RSSIError) -> Result
  ) throws(RSSIError) -> Result {
    try blaming(source.path) { () throws(RSSIError) in try body(file) }
  }

  /// Closes the file and gives it its name.
  consuming func finish() throws(RSSIError) {
    try change { file throws(RSSIError) in try closeWhole(file, output.path) }
    try source.requireInPlace(for: output.path)
    try output.commit()
    removeLog(of: output.path)
  }
}
