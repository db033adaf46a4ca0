import Foundation
import RegexBuilder
import TestSupport
import Testing

/// The Debian package of scripts/package, which `scripts/test --system` builds.
private let package = ProcessInfo.processInfo.environment["RSSI_PACKAGE"]

/// The releases of Debian in which it is installed: all with `scripts/test --install`.
private let releases =
  ProcessInfo.processInfo.environment["RSSI_INSTALL_TESTS"] == nil
  ? ["bookworm"] : ["bookworm", "trixie", "testing"]

/// The package and the archive on machines without a Swift toolchain.
@Suite(.systemRun, .needsNamespaces, .enabled(if: package != nil, "run scripts/test --system"))
struct InstalledPackageTests {
  /// The transcript of the archive's use by an ordinary user in a minimal Debian, of the package's
  /// installation, its use, and its removal.
  @Test(arguments: releases)
  func `works in a minimal Debian and leaves nothing`(_ release: String) throws {
    let script = repositoryRoot.appending(path: "Tests/Rig/installed.sh").path
    let result = try runProgram("/bin/bash", [script, release, try #require(package), archive()])
    print(result.output)
    #expect(result.exitCode == 0, "\(result.output)\n\(result.error)")
    #expect(result.output.hasSuffix("installed: passed\n"))

    // The README's pipeline gives the README's figures, in both.
    let readme = try String(
      contentsOf: repositoryRoot.appending(path: "README.md"), encoding: .utf8)
    let row = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("weighted-centroid  ") })
    #expect(result.output.matches(of: Regex { row }).count == 2)
    #expect(result.output.matches(of: /HTTP\/1.[01] 200 OK/).count == 2)
    #expect(result.output.contains("impo -> import"))
    #expect(result.output.contains("cap_net_admin,cap_net_raw=ep"))
  }

  /// The archive of scripts/package, beside the package.
  private func archive() throws -> String {
    let folder = URL(filePath: try #require(package)).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.contains("-linux-") && $0.hasSuffix(".tar.gz") })
    return folder.appending(path: name).path
  }

  /// The goal for the size of the program, its symbols split off: 25 MB.
  @Test func `program is small`() throws {
    let listing = try runProgram("/usr/bin/dpkg-deb", ["--contents", try #require(package)]).output
    let program = try #require(
      listing.split(separator: "\n").first { $0.hasSuffix(" ./usr/bin/rssi") })
    let size = try #require(program.split(separator: " ").dropFirst(2).first.flatMap { Int($0) })
    #expect(size <= 25_000_000)
  }
}
