import Advertising
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Capture

/// Counted reports at full speed: each is numbered by its beacon and its level.
@Suite struct FloodTests {
  @Test(arguments: [1, 5])
  func `every report arrives once and in order`(reportsPerEvent: Int) throws {
    let count = 100_000
    let scratch = try TemporaryDirectory()
    let program = scratch.path("flood")
    let source = repositoryRoot.appending(path: "Tests/Rig/emu/flood.c").path
    let compiling = try runProgram(
      "/usr/bin/gcc", ["-O2", "-Wall", "-Werror", "-o", program, source])
    try #require(compiling.exitCode == 0, "\(compiling.error)")
    let port = try UInt16(reservedPort())
    let controller = try RunningProgram(
      program, ["\(port)", "\(count)", "0", "\(reportsPerEvent)"])
    try #require(controller.waits { controller.error.contains("serving") }, "\(controller.error)")
    let deadline = ContinuousClock.now + patience
    var sink = RecordingSink { $0.reports.count < count && ContinuousClock.now < deadline }
    var flood = try Controller.h4("tcp:127.0.0.1:\(port)").scanner()
    try flood.run(into: &sink)
    #expect(sink.reports.count == count)
    let wrong = sink.reports.enumerated().first { number, received in
      received.report.address.bits != UInt64(number % 50)
        || received.report.rssi != Float(-1 - number / 50 % 100)
    }
    #expect(wrong == nil)
    #expect(sink.losses.isEmpty && sink.rejected.isEmpty)
  }
}
