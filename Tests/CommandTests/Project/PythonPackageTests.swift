import Foundation
import TestSupport
import Testing

/// The tests of the package in `python/`, which compare it with the built program.
@Suite("The Python package") struct PythonPackageTests {
  private static let folder = repositoryRoot.appending(path: "python")
  private static let files = Result {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "tests").path)
      .filter { $0.hasPrefix("test_") && $0.hasSuffix(".py") }.sorted()
  }

  @Test(arguments: try files.get())
  func `passes its own tests`(file: String) throws {
    let result = try runProgram(
      pythonPath,
      [
        "-m", "pytest", "-q", "-p", "no:cacheprovider",
        Self.folder.appending(path: "tests/\(file)").path,
      ],
      environment: [
        "RSSI": builtProgram, "PYTHONPATH": Self.folder.path, "PYTHONDONTWRITEBYTECODE": "1",
      ])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    let summary = try #require(result.output.split(separator: "\n").last)
    #expect(summary.contains(" passed") && !summary.contains("skipped"), "\(summary)")
    print("\(file): \(summary)")
  }
}
