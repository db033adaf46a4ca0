import Foundation
import TestSupport
import Testing

/// The Debian package of scripts/package, which `scripts/test --system` builds.
private let package = ProcessInfo.processInfo.environment["RSSI_PACKAGE"]

/// The installed package on a machine without a Swift toolchain.
@Suite(.systemRun, .needsRoot, .enabled(if: package != nil, "run scripts/test --system"))
struct InstalledPackageTests {
  /// The transcript of an installation in a minimal Debian 12, its use, and its removal.
  @Test func `works in a minimal Debian and leaves nothing`() throws {
    let script = repositoryRoot.appending(path: "Tests/Rig/installed.sh").path
    let result = try runProgram("/bin/bash", [script, try #require(package)])
    #expect(result.exitCode == 0, "\(result.output)\n\(result.error)")
    #expect(result.output.hasSuffix("installed: passed\n"))

    // The README's pipeline gives the README's figures.
    let readme = try String(
      contentsOf: repositoryRoot.appending(path: "README.md"), encoding: .utf8)
    let row = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("weighted-centroid  ") })
    #expect(result.output.contains(row))
    #expect(result.output.contains("impo -> import"))
    #expect(result.output.contains("cap_net_admin,cap_net_raw=ep"))
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
