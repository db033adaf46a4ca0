import Foundation
import Glibc
public import Testing

extension Trait where Self == ConditionTrait {
  /// Enables a test in `scripts/test --system` only, as it takes a guest, or a minute.
  public static var systemRun: Self {
    .enabled(if: isSystemRun, "run scripts/test --system")
  }

  /// Enables a test of public recordings where `sharedData` has them.
  public static func needs(data paths: String...) -> Self {
    .enabled(
      if: paths.allSatisfy { sharedData($0) != nil },
      "needs public recordings: \(paths.joined(separator: ", "))")
  }

  /// Enables a test of what only root may do.
  public static var needsRoot: Self { .enabled(if: geteuid() == 0, "needs root") }

  /// Enables a test of what only root may do where root may make mount namespaces, as for containers.
  public static var needsNamespaces: Self {
    .enabled(if: geteuid() == 0 && hasNamespaces, "needs mount namespaces")
  }

  /// Enables a test where a program is installed.
  public static func needs(program path: String) -> Self {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: path),
      "needs \(path): run scripts/bootstrap test")
  }
}

/// A Boolean value that is true if slow tests run too; `scripts/test --system` sets it.
public let isSystemRun = ProcessInfo.processInfo.environment["RSSI_SYSTEM_TESTS"] == "1"

private let hasNamespaces =
  (try? runProgram("/usr/bin/unshare", ["--mount", "--pid", "--fork", "/usr/bin/true"]))?.exitCode
  == 0
