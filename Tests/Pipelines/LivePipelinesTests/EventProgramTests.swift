import Foundation
import Support
import Synchronization
import TestSupport
import Testing

@testable import LivePipelines

/// A program that follows a test, instead of a process.
private final class ScriptedProgram: StartedProgram {
  private let script: Script
  private let isEnded = Mutex(false)

  /// The behaviour of all runs, and their inputs.
  final class Script: Sendable {
    /// The behaviour of a run while it is waited for; returns the result of `finish`.
    let finish: @Sendable (ScriptedProgram) -> Int32?
    /// The behaviour while it reads its event.
    let read: @Sendable () -> Void
    private let received = Mutex<(lines: [String], limits: [Int])>(([], []))
    var lines: [String] { received.withLock { $0.lines } }
    /// The milliseconds for which each run was waited for.
    var limits: [Int] { received.withLock { $0.limits } }

    init(
      read: @escaping @Sendable () -> Void = {},
      finish: @escaping @Sendable (ScriptedProgram) -> Int32?
    ) {
      (self.read, self.finish) = (read, finish)
    }

    func took(_ line: [UInt8]) {
      received.withLock { $0.lines.append(String(decoding: line, as: UTF8.self)) }
    }
    func waits(_ milliseconds: Int) { received.withLock { $0.limits.append(milliseconds) } }
  }

  init(_ script: Script) { self.script = script }

  var wasEnded: Bool { isEnded.withLock { $0 } }

  func send(_ line: [UInt8], within milliseconds: Int) throws(ChildProgram.Failure) {
    script.took(line)
    script.read()
  }

  func finish(within milliseconds: Int) -> Int32? {
    script.waits(milliseconds)
    return script.finish(self)
  }

  func end() { isEnded.withLock { $0 = true } }

  /// Goes on, a second of the test's time after the other, until it is ended.
  func goOn(_ time: TestTime) -> Int32? {
    while !wasEnded {
      time.advance(seconds: 1)
      sched_yield()
    }
    return 137
  }
}

@Suite("A program that is run for each event") struct EventProgramTests {
  private let around = TestSurroundings()

  private func program(_ script: ScriptedProgram.Script, mayWait: Bool) throws -> EventProgram {
    try EventProgram("tool", mayWait: mayWait, around.context) { ScriptedProgram(script) }
  }

  private func note(_ part: String) -> Bool { around.log.notes.contains { $0.contains(part) } }

  @Test(arguments: [true, false])
  func `events arrive in order`(mayWait: Bool) throws {
    let script = ScriptedProgram.Script { _ in 0 }
    let program = try program(script, mayWait: mayWait)
    let events = (0..<200).map { "event \($0)" }
    for event in events { program.take(event + "\n") }
    program.finish()
    #expect(script.lines == events && around.log.notes.isEmpty)
  }

  @Test func `the time of reading counts for the limit`() throws {
    let script = ScriptedProgram.Script(
      read: { [time = around.time] in time.advance(seconds: 4) }, finish: { _ in 0 })
    let program = try program(script, mayWait: true)
    program.take("a\n")
    program.finish()
    #expect(script.limits == [6000])
  }

  @Test func `a program that takes longer than its limit is named once and counted`() throws {
    let script = ScriptedProgram.Script { [time = around.time] _ in
      time.advance(seconds: 10)
      return nil
    }
    let program = try program(script, mayWait: true)
    for event in ["a\n", "b\n", "c\n"] { program.take(event) }
    program.finish()
    #expect(script.lines == ["a", "b", "c"])
    #expect(
      around.log.notes == [
        "warning: `onEvent` tool: took longer than 10 s and was ended",
        "warning: `onEvent` tool failed for 3 events",
      ])
  }

  @Test func `a live watch waits for one run only`() throws {
    let script = ScriptedProgram.Script { [time = around.time] in $0.goOn(time) }
    let program = try program(script, mayWait: false)
    for event in ["a\n", "b\n", "c\n"] { program.take(event) }
    let began = around.time.monotonic
    program.finish()
    #expect(script.lines == ["a"] && note("2 events were dropped"))
    #expect(around.time.monotonic - began >= 11_000_000_000)
  }

  @Test func `a recording's program is ended after a request to stop`() throws {
    let script = ScriptedProgram.Script { [around] run in
      around.control.askToStop()
      return run.goOn(around.time)
    }
    let program = try program(script, mayWait: true)
    program.take("a\n")
    program.take("b\n")
    program.finish()
    #expect(script.lines == ["a"] && note("1 events were dropped"))
  }

  @Test func `a bounded number waits`() throws {
    let gate = DispatchSemaphore(value: 0)
    let script = ScriptedProgram.Script { _ in
      gate.wait()
      gate.signal()
      return 0
    }
    let program = try program(script, mayWait: false)
    program.take("0\n")
    #expect(eventually { script.lines.count == 1 })
    for event in 1..<300 { program.take("\(event)\n") }
    gate.signal()
    program.finish()
    #expect(script.lines == (0...256).map(String.init))
    #expect(note("43 events were dropped"))
  }

  @Test func `a program that cannot be started is noted`() throws {
    let program = try EventProgram("tool", mayWait: true, around.context) {
      throw RSSIError(.unavailable, "no more processes")
    }
    program.take("a\n")
    program.finish()
    #expect(note("`onEvent` tool: ") && note("no more processes"))
  }
}
