import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What a stage had not finished when a signal ended it")
struct UnfinishedFilesTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Runs a stage until it is writing, and ends it.
  private func end(with signal: Int32) throws -> ProgramResult {
    let program = try RunningProgram(
      builtProgram,
      ["simulate", "--walks", "1000", "--duration", "10000", "-o", folder.url.path])
    #expect(try program.waits { try !partial().isEmpty }, "\(program.error)")
    program.send(signal)
    return program.wait()
  }

  private func partial() throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".partial") }
  }

  @Test(arguments: [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF,
  ])
  func `is removed`(_ signal: Int32) throws {
    #expect(try end(with: signal).exitCode == 128 + signal)
    #expect(try partial() == [])
  }

  @Test func `is removed by the next stage after a kill`() throws {
    _ = try end(with: SIGKILL)
    #expect(try !partial().isEmpty)
    let result = try rssi("simulate", "--walks", "1", "--duration", "2", "-o", folder.url.path)
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(try partial() == [])
  }
}
