import Glibc
package import Support
import TraceStore

/// Returns the files to read: for a folder its traces (*.h5) in order of their names, which is the
/// order in which a rotating capture wrote them.
///
/// - Parameter mayRepeat: true if a file may be given twice, because each is treated separately.
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
        .noInput, "this folder contains no trace (*.h5)", in: path,
        advice: "name the files to read")
    }
    files += names.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }
  if !mayRepeat { try requireDistinctInputs(files.flatMap(tableFiles)) }
  return files
}

/// Refuses an input that is given twice: under one name, by a link, or as a copy. Its sightings
/// would count twice.
///
/// Only files of one length with the same beginning and end are read, for their SHA-256 digests.
///
/// - Throws: `.badInput` with both names.
package func requireDistinctInputs(_ paths: [String]) throws(RSSIError) {
  guard paths.count(where: { $0 == "-" }) < 2 else {
    throw RSSIError(.usage, "- is given twice: the standard input is read once")
  }
  var identities: [FileIdentity: String] = [:]
  var likely: [FileSample: [String]] = [:]
  for path in paths where path != "-" {
    // A file that cannot be opened is reported by the stage that reads it.
    guard let identity = FileIdentity(path: path) else { continue }
    if let other = identities.updateValue(path, forKey: identity) {
      throw other == path
        ? repeated("\(path) is given twice") : repeated("\(other) and \(path) are the same file")
    }
  }
  let lengths = Dictionary(grouping: identities.values.sorted(), by: fileLength)
  for (length, files) in lengths where length > 0 && files.count > 1 {
    for path in files {
      if let sample = FileSample(path) { likely[sample, default: []].append(path) }
    }
  }
  for files in likely.values where files.count > 1 {
    var digests: [String: String] = [:]
    for path in files {
      guard let digest = try? InputDigests(of: [path]).wait().first?.sha256 else { continue }
      if let other = digests.updateValue(path, forKey: digest) {
        throw repeated("\(other) and \(path) have the same content")
      }
    }
  }
}

private func repeated(_ problem: String) -> RSSIError {
  RSSIError(.badInput, "\(problem): its sightings would count twice", advice: "name it once")
}

/// The beginning and the end of a file.
private struct FileSample: Hashable {
  private let bytes: [UInt8]

  private static let length = 4096

  /// Returns nil for a file that cannot be read.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 2 * Self.length)
    let last = off_t(max(0, fileLength(path) - Self.length))
    let isRead = bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return pread(descriptor, start, Self.length, 0) >= 0
        && pread(descriptor, start + Self.length, Self.length, last) >= 0
    }
    guard isRead else { return nil }
    self.bytes = bytes
  }
}
