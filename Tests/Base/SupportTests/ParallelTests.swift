import Glibc
import Support
import Synchronization
import Testing

@Suite("Work on all cores")
struct ParallelTests {
  private struct Failure: Error, Equatable { var number: Int }

  @Test func `is handed over in order, up to the first that fails`() throws {
    var taken: [Int] = []
    try parallelInOrder(1000, { $0 * $0 }, take: { taken.append($0) })
    #expect(taken == (0..<1000).map { $0 * $0 })
    taken = []
    #expect(throws: Failure(number: 70)) {
      try parallelInOrder(1000) { number in
        if number >= 70 { throw Failure(number: number) }
        return number
      } take: {
        taken.append($0)
      }
    }
    #expect(taken == Array(0..<70))
  }

  @Test func `may start further work, and is waited for`() {
    let counts = Mutex([Int: Int]())
    concurrently(40) { outer in
      concurrently(25) { inner in counts.withLock { $0[outer * 25 + inner, default: 0] += 1 } }
    }
    #expect(counts.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, 1) }))
  }

  /// A thread waits for its next work without the memory of the last.
  @Test func `gives its memory back`() {
    final class Memory: Sendable {}
    let work = BackgroundWork()
    for _ in 0..<20 {
      weak var memory: Memory?
      do {
        let held = Memory()
        memory = held
        work.start { withExtendedLifetime(held) {} }
      }
      work.wait()
      // The thread lets go of it after it reports the end.
      while memory != nil { usleep(1000) }
    }
  }

  /// Each waits until all have begun, so that each needs a thread of its own.
  @Test func `of which each waits for the others needs a thread each`() {
    let work = BackgroundWork()
    let begun = Atomic(0)
    for _ in 0..<20 {
      work.start {
        begun.add(1, ordering: .relaxed)
        while begun.load(ordering: .relaxed) < 20 { usleep(1000) }
      }
    }
    work.wait()
    #expect(begun.load(ordering: .relaxed) == 20)
  }

  /// A signal interrupts the waiting of the main thread, not of a worker.
  @Test func `leaves signals to the threads that expect them`() {
    let isBlocked = Mutex<[Int32: Bool]>([:])
    let work = BackgroundWork()
    work.start {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      let found = [SIGINT, SIGTERM, SIGSEGV].map { ($0, sigismember(&mask, $0) == 1) }
      isBlocked.withLock { $0 = Dictionary(uniqueKeysWithValues: found) }
    }
    work.wait()
    #expect(isBlocked.withLock { $0 } == [SIGINT: true, SIGTERM: true, SIGSEGV: false])
  }
}
