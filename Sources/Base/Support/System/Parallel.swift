import Dispatch
import Glibc
import Synchronization

/// Works out each element on any core that is free; the results are in order.
///
/// - Parameters:
///   - count: how many.
///   - done: stated after each how many are done, by one core at a time.
package func parallel<Element: Sendable>(
  _ count: Int, done: @escaping @Sendable (Int) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) -> Element
) -> [Element] {
  let results = Mutex<(elements: [Element?], done: Int)>((Array(repeating: nil, count: count), 0))
  DispatchQueue.concurrentPerform(iterations: count) { index in
    let element = body(index)
    results.withLock {
      $0.elements[index] = element
      $0.done += 1
      done($0.done)
    }
  }
  return results.withLock { $0.elements.compactMap(\.self) }
}

/// Works out each element on any core that is free, and hands them over in order; only some for
/// each core are in memory at a time.
///
/// - Parameters:
///   - count: how many.
///   - take: called for one element after the other, on the caller's thread.
/// - Throws: the failure of the first element that has one, after `take` had those before it.
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

/// How many threads can run at once.
package var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// Workers that take turns: each does a piece of work on any core that is free, and what they did
/// is taken in the order in which the work was handed over.
///
/// Memory is bounded by the number of workers: work is handed over when the worker whose turn it is
/// has nothing left that was not taken.
package struct OrderedWorkers<Worker>: ~Copyable {
  /// Touched by the thread that works, and by the owner while there is no work.
  private final class Turn: Sendable {
    nonisolated(unsafe) var worker: Worker
    let work = DispatchGroup()

    init(_ worker: Worker) { self.worker = worker }
  }

  private let turns: [Turn]
  private var next = 0
  /// How many pieces of work were not taken yet.
  private var waiting = 0

  /// - Parameter workers: at least one.
  package init(_ workers: [Worker]) { turns = workers.map(Turn.init) }

  /// Hands over work, after what the worker did before was taken.
  package mutating func start(
    _ work: @escaping @Sendable (inout Worker) -> Void, take: (inout Worker) throws -> Void
  ) rethrows {
    if waiting == turns.count { try takeFirst(take) }
    let turn = turns[next]
    DispatchQueue.global().async(group: turn.work) { work(&turn.worker) }
    next = (next + 1) % turns.count
    waiting += 1
  }

  /// Takes all that is left.
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
