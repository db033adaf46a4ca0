import Foundation
import Glibc
import Support

/// A program that is run for each event, with the event on its standard input.
///
/// One at a time and in order, by a thread of its own: the radio never waits for it. Where events
/// come faster than it takes them, only so many wait; the rest are left out and counted. Of a
/// recording, which is read as fast as anybody takes it, none is left out.
final class EventProgram: @unchecked Sendable {
  private let command: String
  private let mayWait: Bool
  private let note: (String) -> Void
  private let condition = NSCondition()
  private var waiting: [String] = []
  private var isClosed = false
  private var isOver = false
  /// The one that runs now.
  private var running: ChildProgram?
  private(set) var leftOut = 0
  private var failures = 0

  /// Events that may wait.
  private static let capacity = 256
  /// What one run may take, milliseconds.
  private static let limit = 10_000

  /// - Parameters:
  ///   - command: for the shell.
  ///   - mayWait: whether whoever hands events over may be held up.
  init(_ command: String, mayWait: Bool, note: @escaping (String) -> Void) {
    (self.command, self.mayWait, self.note) = (command, mayWait, note)
    Thread.detachNewThread { self.work() }
  }

  /// Hands an event over; returns at once unless this may wait.
  func take(_ line: String) {
    condition.lock()
    defer { condition.unlock() }
    while mayWait, waiting.count >= Self.capacity, !StopSignals.isStopAsked {
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
    }
    if waiting.count < Self.capacity {
      waiting.append(line)
      condition.broadcast()
    } else {
      leftOut += 1
    }
  }

  /// Waits until it has taken what waits; of a live watch for the time of one run at most, and
  /// where somebody asked to stop for two seconds. What runs then is ended.
  func finish() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    let end = Date(timeIntervalSinceNow: Double(Self.limit) / 1000 + 1)
    var stopped: Date?
    while !isOver {
      if StopSignals.isStopAsked, stopped == nil { stopped = Date(timeIntervalSinceNow: 2) }
      if Date() >= stopped ?? (mayWait ? .distantFuture : end) { break }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
    }
    leftOut += waiting.count
    waiting = []
    running?.end()
    condition.unlock()
    if leftOut > 0 {
      note(
        "--on-event \(command) was too slow: \(leftOut) events were not handed to it; it should "
          + "leave long work to another program"
      )
    }
    if failures > 1 { note("--on-event \(command) failed for \(failures) events") }
  }

  private func work() {
    while true {
      condition.lock()
      while waiting.isEmpty, !isClosed { condition.wait() }
      guard !waiting.isEmpty else {
        isOver = true
        condition.broadcast()
        condition.unlock()
        return
      }
      let line = waiting.removeFirst()
      condition.broadcast()
      condition.unlock()
      run(line)
    }
  }

  private func runs(_ program: ChildProgram?) {
    condition.withLock { running = program }
  }

  private func run(_ line: String) {
    var problem: String?
    do {
      let program = try ChildProgram(command, answers: false)
      runs(program)
      defer { runs(nil) }
      let began = SystemClock.monotonic
      // A program that does not want to read its input may end without.
      try? program.send(Array(line.dropLast().utf8), within: Self.limit)
      let spent = Int((SystemClock.monotonic - began) / 1_000_000)
      switch program.finish(within: max(Self.limit - spent, 1)) {
      case 0?: break
      case let status?: problem = "ended with \(status)"
      case nil: problem = "took longer than \(Self.limit / 1000) s and was ended"
      }
    } catch {
      problem = "\(error)"
    }
    guard let problem else { return }
    failures += 1
    if failures == 1 { note("--on-event \(command): \(problem)") }
  }
}
