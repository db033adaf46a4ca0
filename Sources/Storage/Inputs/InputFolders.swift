package import Support

/// The files to read: of a folder its traces (*.h5) in order of their names, which is the order in
/// which a capture that begins new files wrote them.
///
/// - Parameter mayRepeat: whether a file may be there twice, as where each is treated by itself.
/// - Throws: `RSSIError` for a folder without a trace, and for files of the same content.
package func inputFiles(
  _ paths: [String], mayRepeat: Bool = false
) throws(RSSIError) -> [String] {
  var files: [String] = []
  for path in paths {
    guard path != "-", isFolder(path) else {
      files.append(path)
      continue
    }
    let names = entries(ofFolder: path).filter { $0.hasSuffix(".h5") && !$0.hasPrefix(".") }
    guard !names.isEmpty else {
      throw RSSIError(
        .noInput, "there is no trace (*.h5) in this folder", in: path,
        advice: "name the files to read")
    }
    files += names.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }
  if !mayRepeat { try requireDistinctInputs(files) }
  return files
}
