import Foundation
import TestSupport
import Testing

@Suite("A capture that is killed", .systemRun) struct KillTests {
  @Test
  func `at 200 random moments keeps what could be read before, and writes no wrong value`() throws {
    let script = repositoryRoot.appending(path: "Tests/CommandTests/Scripts/crash.py").path
    let result = try runProgram(pythonPath, [script, builtProgram, "kill", "200"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output, terminator: "")
  }
}
