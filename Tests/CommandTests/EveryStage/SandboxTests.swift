import Foundation
import Glibc
import TestSupport
import Testing

/// Returns the command that runs a program where /proc is an empty folder.
private func withoutProc(_ words: [String]) -> [String] {
  ["--mount"] + (geteuid() == 0 ? [] : ["--map-root-user"])
    + ["/bin/sh", "-c", #"mount -t tmpfs none /proc && exec "$@""#, "sh"] + words
}

private let canHideProc =
  (try? runProgram("/usr/bin/unshare", withoutProc(["/usr/bin/test", "!", "-e", "/proc/self"])))?
  .exitCode == 0

@Suite("In a sandbox without /proc", .enabled(if: canHideProc, "needs mount namespaces"))
struct SandboxTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Copies the bundled example into a folder of its own.
  private func example(_ name: String) throws -> URL {
    let copy = folder.url.appending(path: name)
    try FileManager.default.copyItem(
      at: repositoryRoot.appending(path: "notebooks-data/example"), to: copy)
    return copy
  }

  /// A container limits processes (`--pids-limit`), of which a thread is one.
  @Test(.needsRoot, arguments: [1, 2, 3])
  func `recordings are imported without another thread`(processes: Int) throws {
    let copy = try example("limited")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: copy.path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    // A user of its own, whose processes are counted, and who may not see the repository.
    let program = folder.path("rssi")
    try FileManager.default.copyItem(atPath: builtProgram, toPath: program)
    let result = try runProgram(
      "/usr/bin/prlimit",
      [
        "--nproc=\(processes)", "setpriv", "--reuid=\(62_000 + processes)", "--clear-groups",
        program, "import", "walk-1.btsnoop", "walk-2.btsnoop", "--receiver", "phone", "-o",
        "walks.h5",
      ], directory: copy)
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.output.contains("sightings     21"))
  }

  @Test func `the chain prints the same`() throws {
    let (open, closed) = (try example("open"), try example("closed"))
    for command in [
      "--version", "help import", "info", "no-such-stage", "info missing.h5",
      "import walk-1.btsnoop walk-2.btsnoop --receiver phone --nodes nodes.csv --truth truth.csv "
        + "-o walks.h5 --quiet",
      "filter walks.h5 -o filtered.h5", "fit distances.csv -o calibration.json",
      "eval walks.h5 --calibration calibration.json --site site.toml "
        + "--algorithms weighted-centroid,kalman --report report.html",
      "locate walks.h5 --calibration calibration.json --site site.toml",
      "export walks.h5 --format ndjson -o -", "export walks.h5 -o /dev/stdout",
      "beacons walks.h5 --json",
    ] {
      let words = command.split(separator: " ").map(String.init)
      let plain = try runProgram(builtProgram, words, directory: open)
      let sandboxed = try runProgram(
        "/usr/bin/unshare", withoutProc([builtProgram] + words), directory: closed)
      #expect(sandboxed.exitCode == plain.exitCode, "\(command): \(sandboxed.error)")
      #expect(sandboxed.output == plain.output, "\(command)")
      #expect(sandboxed.error == plain.error, "\(command)")
    }
    // Each file contains its own command line.
    let trace = closed.appending(path: "walks.h5").path
    #expect(try rssi("info", trace).output.contains("rssi import walk-1.btsnoop walk-2.btsnoop"))
  }

  @Test func `recordings are packed, and kept if they are deleted`() throws {
    let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    let rotated = try runProgram(
      "/usr/bin/unshare",
      withoutProc([
        builtProgram, "capture", "replay:\(walk)", "--speed", "20", "--flush", "500ms", "--rotate",
        "700ms", "-o", folder.path("part.h5"),
      ]))
    #expect(rotated.exitCode == 0 && !rotated.error.contains("pack"), "\(rotated.error)")
    #expect(try folder.names().count > 1)

    let trace = folder.path("deleted.h5")
    let script = "\"$@\" & until [ -s \(trace) ]; do :; done; rm \(trace); wait $!"
    let deleted = try runProgram(
      "/usr/bin/unshare",
      withoutProc([
        "/bin/sh", "-c", script, "sh", builtProgram, "capture", "replay:\(walk)", "--speed", "20",
        "-o", trace,
      ]))
    #expect(deleted.exitCode == 0 && deleted.error.contains("deleted"), "\(deleted.error)")
    let whole = folder.path("whole.h5")
    #expect(try rssi("import", walk, "-o", whole).exitCode == 0)
    // The capture goes on in a second file.
    let parts = try folder.names().filter { $0.hasPrefix("deleted") }
    #expect(parts.count == 2)
    #expect(try parts.reduce(0) { try $0 + sightings(folder.path($1)) } == sightings(whole))
  }
}
