import Glibc
import Synchronization

/// Calls a function with the numbers below a count, on all free cores.
package func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let loop = ConcurrentLoop(count, body)
  let others = BackgroundWork()
  let free = processorCount - 1 - ConcurrentLoop.helpers.load(ordering: .relaxed)
  for _ in 0..<max(0, min(count - 1, free)) {
    ConcurrentLoop.helpers.add(1, ordering: .relaxed)
    others.start {
      loop.run()
      ConcurrentLoop.helpers.subtract(1, ordering: .relaxed)
    }
  }
  loop.run()
  others.wait()
}

/// A loop that several threads work off.
private final class ConcurrentLoop: Sendable {
  /// The number of threads that help in any loop.
  static let helpers = Atomic(0)

  private let next = Atomic(0)
  private let count: Int
  private let body: @Sendable (Int) -> Void

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    (self.count, self.body) = (count, body)
  }

  func run() {
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      body(index)
    }
  }
}

/// Computes each element on any free core; the results are in order.
///
/// - Parameters:
///   - count: The number of elements.
///   - done: A closure that receives the number of completed elements, from one thread at a time.
package func parallel<Element: Sendable>(
  _ count: Int, done: @escaping @Sendable (Int) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) -> Element
) -> [Element] {
  let results = Mutex<(elements: [Element?], done: Int)>((Array(repeating: nil, count: count), 0))
  concurrently(count) { index in
    let element = body(index)
    results.withLock {
      $0.elements[index] = element
      $0.done += 1
      done($0.done)
    }
  }
  return results.withLock { $0.elements.compactMap(\.self) }
}

/// Computes each element on any free core, and passes them on in order; only a few per core are in
/// memory at a time.
///
/// - Parameters:
///   - count: The number of elements.
///   - take: A closure that receives one element after the other, on the caller's thread.
/// - Throws: The first failure by element, after `take` received those before it.
package func parallelInOrder<Element: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Element,
  take: (Element) throws -> Void
) throws {
  let step = 4 * processorCount
  for first in stride(from: 0, to: count, by: step) {
    let results = parallel(min(step, count - first)) { index in
      Result { try body(first + index) }
    }
    for result in results { try take(result.get()) }
  }
}

/// The number of threads that can run at once.
package var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// Workers that take turns: each works on any free core, and results are collected in the order in
/// which work was submitted.
///
/// Memory is bounded by the number of workers: work is submitted when the results of the next
/// worker have been collected.
package struct OrderedWorkers<Worker: ~Copyable>: ~Copyable {
  /// Accessed by the working thread, and by the owner while there is no work.
  private final class Turn: Sendable {
    nonisolated(unsafe) var worker: Worker
    let work = BackgroundWork()

    init(_ worker: consuming Worker) { self.worker = worker }
  }

  private let turns: [Turn]
  private var next = 0
  /// The number of results not collected yet.
  private var waiting = 0

  /// - Parameters:
  ///   - count: The number of workers, at least one.
  ///   - worker: A closure that returns a new worker.
  package init(_ count: Int, _ worker: () -> Worker) {
    turns = (0..<count).map { _ in Turn(worker()) }
  }

  /// Submits work, after collecting the worker's previous results.
  package mutating func start(
    _ work: @escaping @Sendable (inout Worker) -> Void, take: (inout Worker) throws -> Void
  ) rethrows {
    _ = try start(prepare: { _ in true }, work, take: take)
  }

  /// Submits work with its input, after collecting the worker's previous results.
  ///
  /// - Parameter prepare: A closure that gives the worker its input on the caller's thread, and
  ///   returns `false` if there is none.
  /// - Returns: `false` if there was no input.
  package mutating func start(
    prepare: (inout Worker) throws -> Bool,
    _ work: @escaping @Sendable (inout Worker) -> Void, take: (inout Worker) throws -> Void
  ) rethrows -> Bool {
    if waiting == turns.count { try takeFirst(take) }
    let turn = turns[next]
    guard try prepare(&turn.worker) else { return false }
    turn.work.start { work(&turn.worker) }
    next = (next + 1) % turns.count
    waiting += 1
    return true
  }

  /// Collects all remaining results.
  package mutating func finish(take: (inout Worker) throws -> Void) rethrows {
    while waiting > 0 { try takeFirst(take) }
  }

  private mutating func takeFirst(_ take: (inout Worker) throws -> Void) rethrows {
    let turn = turns[(next + turns.count - waiting) % turns.count]
    turn.work.wait()
    waiting -= 1
    try take(&turn.worker)
  }

  deinit {
    for turn in turns { turn.work.wait() }
  }
}
