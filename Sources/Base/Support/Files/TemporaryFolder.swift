import Glibc

/// An empty folder for temporary files, which is removed at the end, and when the program is
/// interrupted.
package struct TemporaryFolder: ~Copyable {
  package let path: String

  /// Creates a folder with a name that cannot be guessed.
  ///
  /// - Parameter place: The folder in which it is created; `nil` for that of temporary files.
  package init(in place: String? = nil) throws(RSSIError) {
    let place = place ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(place)/.rssi-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw RSSIError(
        errno == EACCES || errno == EROFS ? .permission : .inputOutput,
        "cannot make a temporary folder: \(systemMessage(errno))", in: place,
        advice: "free some space in it, or change its mode")
    }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedFiles.add(path)
  }

  /// Returns the folder of a path.
  package static func folder(of path: String) -> String { FilePlace(path).folder }

  deinit {
    rmdir(path)
    UnfinishedFiles.remove(path)
  }
}
