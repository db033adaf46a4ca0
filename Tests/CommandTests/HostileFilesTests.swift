import Foundation
import TestSupport
import Testing

@Suite("Crafted and damaged files", .systemRun) struct HostileFilesTests {
  @Test("200 of the campaign's, through the stages that read them, do no harm")
  func twoHundred() throws {
    let result = try runProgram(
      pythonPath,
      [repositoryRoot.appending(path: "scripts/hostile.py").path, "--program", builtProgram]
        + ["--hdf5", "57", "--mutants", "143"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output.split(separator: "\n").last ?? "")
  }
}

@Suite("Writes that fail", .systemRun) struct HostileWritesTests {
  @Test("200 of the trial's: nothing wrong ends with 0, no older file is lost, nothing is left")
  func twoHundred() throws {
    let result = try runProgram(
      pythonPath,
      [repositoryRoot.appending(path: "scripts/hostile_writes.py").path, "--program", builtProgram]
        + ["--count", "200"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output.split(separator: "\n").last ?? "")
  }
}
