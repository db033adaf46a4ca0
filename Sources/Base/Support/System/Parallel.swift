import Dispatch
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
