import Dispatch
import Glibc
import Synchronization

/// Works out each element on any core that is free; the results are in order.
///
/// - Parameters:
///   - count: how many.
///   - done: told after each how many are done, by one core at a time.
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
  let step = 4 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  for first in stride(from: 0, to: count, by: step) {
    let results = parallel(min(step, count - first)) { index in
      Result { try body(first + index) }
    }
    for result in results { try take(result.get()) }
  }
}
