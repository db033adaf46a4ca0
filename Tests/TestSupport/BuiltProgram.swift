public import Foundation

/// The folder of what was built together with the running tests.
public let builtProducts = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent()

/// The `rssi` to test: the one that `RSSI_PROGRAM` names, such as that of a package, or the one
/// that was built together with the running tests.
public let builtProgram =
  ProcessInfo.processInfo.environment["RSSI_PROGRAM"]
  ?? builtProducts.appending(path: "rssi").path
