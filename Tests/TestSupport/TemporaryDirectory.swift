public import Foundation

/// A folder of a test's own, removed when the test lets go of it or the test process ends.
public final class TemporaryDirectory: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "rssi-\(UUID().uuidString)")
    Leftovers.add(url.path)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    Leftovers.remove(url.path)
  }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a text file and returns its path.
  ///
  /// - Parameter permissions: nil = those that the umask leaves.
  public func write(_ text: String, to name: String, permissions: Int? = nil) throws -> String {
    try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    if let permissions {
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: path(name))
    }
    return path(name)
  }

  /// The names in the folder, sorted.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
