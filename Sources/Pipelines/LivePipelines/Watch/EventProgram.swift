package import Support
import TracePipelines

/// A program that is run for each event, with the event on its standard input.
///
/// One runs at a time and in order, on a separate thread: the radio never waits for it. If events
/// come faster than it takes them, a bounded number waits; the rest are left out and counted.
/// Events of a recording, which is read as fast as possible, are not left out.
package final class EventProgram: @unchecked Sendable {
  private let command: String
  private let mayWait: Bool
  private let control: any LiveControl
  private let log: any ActivityLog
  private let clock: MachineClock
  private let start: () throws -> any StartedProgram
  private let condition = Condition()
  private var waiting: [String] = []
  private var isClosed = false
  private var isOver = false
  /// The program that is running.
  private var running: (any StartedProgram)?
  private var leftOut = 0
  private var failures = 0

  /// The number of events that may wait.
  private static let capacity = 256
  /// The maximum duration of one run, in milliseconds.
  private static let limit = 10_000

  /// - Parameters:
  ///   - command: the command, for the shell.
  ///   - mayWait: true if `take` may wait for the program.
  /// - Throws: `.unavailable` if no thread can be started.
  package convenience init(
    _ command: String, mayWait: Bool, _ context: LiveContext
  ) throws(RSSIError) {
    try self.init(command, mayWait: mayWait, context) {
      try ChildProgram(command, answers: false)
    }
  }

  /// - Parameter start: starts the program for one event.
  init(
    _ command: String, mayWait: Bool, _ context: LiveContext,
    start: @escaping () throws -> any StartedProgram
  ) throws(RSSIError) {
    (self.command, self.mayWait, self.start) = (command, mayWait, start)
    (control, log, clock) = (context.control, context.log, context.clock)
    try detachThread { self.work() }
  }

  /// Accepts an event; returns at once unless it may wait.
  package func take(_ line: String) {
    condition.lock()
    defer { condition.unlock() }
    while mayWait, waiting.count >= Self.capacity, !control.isStopAsked {
      condition.wait(atMost: 100)
    }
    if waiting.count < Self.capacity {
      waiting.append(line)
      condition.broadcast()
    } else {
      leftOut += 1
    }
  }

  /// Waits until the program has the waiting events. A live watch waits for the time of one run at
  /// most, or two seconds after a request to stop. A program that still runs then is ended.
  package func finish() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    let end = mayWait ? Int64.max : deadline(Self.limit + 1000)
    var stopped: Int64?
    while !isOver {
      if control.isStopAsked, stopped == nil { stopped = deadline(2000) }
      if clock.monotonic() >= stopped ?? end { break }
      condition.wait(atMost: 100)
    }
    leftOut += waiting.count
    waiting = []
    running?.end()
    let (leftOut, failures) = (leftOut, failures)
    condition.unlock()
    if leftOut > 0 {
      log.warn(
        "`onEvent` \(command) was too slow: \(leftOut) events were dropped; it should "
          + "leave long work to another program"
      )
    }
    if failures > 1 { log.warn("`onEvent` \(command) failed for \(failures) events") }
  }

  /// Returns the instant after the given milliseconds, on the clock that is never set.
  private func deadline(_ milliseconds: Int) -> Int64 {
    clock.monotonic() + Int64(milliseconds) * 1_000_000
  }

  private func work() {
    while let line = next() { run(line) }
  }

  /// Waits for the next event; returns nil after the last.
  private func next() -> String? {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    while waiting.isEmpty, !isClosed { condition.wait() }
    guard !waiting.isEmpty else {
      isOver = true
      return nil
    }
    return waiting.removeFirst()
  }

  private func runs(_ program: (any StartedProgram)?) {
    condition.withLock { running = program }
  }

  private func run(_ line: String) {
    var problem: String?
    do {
      let program = try start()
      runs(program)
      defer { runs(nil) }
      let began = clock.monotonic()
      // A program that does not want to read its input may end without.
      try? program.send(Array(line.dropLast().utf8), within: Self.limit)
      let spent = Int((clock.monotonic() - began) / 1_000_000)
      switch program.finish(within: max(Self.limit - spent, 1)) {
      case 0?: break
      case let status?: problem = "ended with \(status)"
      case nil: problem = "took longer than \(Self.limit / 1000) s and was ended"
      }
    } catch {
      problem = text(of: error)
    }
    guard let problem else { return }
    let isFirst = condition.withLock {
      failures += 1
      return failures == 1
    }
    if isFirst { log.warn("`onEvent` \(command): \(problem)") }
  }
}

/// A program that was started to take one event.
protocol StartedProgram: AnyObject {
  /// Passes it the event.
  func send(_ line: [UInt8], within milliseconds: Int) throws(ChildProgram.Failure)

  /// Waits for it to end.
  ///
  /// - Returns: its exit status as in a shell; nil if it did not end in time.
  func finish(within milliseconds: Int) -> Int32?

  /// Ends it, and every process that it started, at once.
  func end()
}

extension ChildProgram: StartedProgram {}
