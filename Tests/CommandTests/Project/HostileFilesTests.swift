import Foundation
import TestSupport
import Testing

@Suite("Crafted and damaged files", .systemRun) struct HostileFilesTests {
  @Test func `200 of the campaign's, through the stages that read them, do no harm`() throws {
    let result = try runProgram(
      pythonPath,
      [repositoryRoot.appending(path: "scripts/hostile/files.py").path, "--program", builtProgram]
        + ["--hdf5", "57", "--mutants", "143"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output.split(separator: "\n").last ?? "")
  }

  @Test func `kills and losses of power leave what was flushed`() throws {
    let result = try runProgram(
      pythonPath,
      [repositoryRoot.appending(path: "scripts/hostile/power.py").path, "--program", builtProgram]
        + ["--count", "1000", "--kills", "50"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output.split(separator: "\n").last ?? "")
  }
}

/// The trials of `scripts/hostile/run` at a small size; a seed of each day's own is for runs by
/// hand.
@Suite("Hostile options and requests", .systemRun) struct HostileTrialTests {
  private func trial(_ part: String, _ arguments: String...) throws {
    let script = repositoryRoot.appending(path: "scripts/hostile/\(part).py").path
    let result = try runProgram(pythonPath, [script, "--program", builtProgram] + arguments)
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output.split(separator: "\n").last ?? "")
  }

  @Test
  func `every option of every stage works at both ends of its range`() throws {
    try trial("options", "--count", "0", "--jobs", "4")
  }

  @Test
  func `values of every kind end no stage by a signal`() throws {
    try trial("options", "--no-ends", "--count", "300", "--jobs", "4")
  }

  @Test func `requests and clients of every kind are refused, and delay no other client`() throws {
    try trial("requests", "--count", "600", "--positions", "2000", "--patience", "5")
  }
}

@Suite("Writes that fail", .systemRun) struct HostileWritesTests {
  @Test func `200 failed writes end with an error and lose no older file`() throws {
    let result = try runProgram(
      pythonPath,
      [repositoryRoot.appending(path: "scripts/hostile/writes.py").path, "--program", builtProgram]
        + ["--count", "200"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output.split(separator: "\n").last ?? "")
  }
}
