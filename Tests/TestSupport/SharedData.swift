public import Foundation

/// The folder of the repository.
public let repositoryRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A public recording used for development, or nil where the folder is absent.
///
/// The recordings belong to others and are not part of the repository; a test that needs one is
/// enabled where it is present: `@Test(.needs(data: "captures"))`.
public func sharedData(_ path: String) -> URL? {
  let root =
    ProcessInfo.processInfo.environment["RSSI_SHARED_DATA"].map { URL(filePath: $0) }
    ?? repositoryRoot.deletingLastPathComponent().appending(path: "shared/data")
  let url = root.appending(path: path)
  return FileManager.default.fileExists(atPath: url.path) ? url : nil
}
