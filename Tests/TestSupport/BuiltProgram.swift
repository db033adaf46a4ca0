import Foundation

/// The `rssi` that was built together with the running tests: it lies beside their executable.
public var builtProgram: String {
  URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "rssi").path
}
