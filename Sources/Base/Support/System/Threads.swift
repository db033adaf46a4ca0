package import Glibc

/// Runs a function on a new thread, which the caller joins.
///
/// Signals go to the other threads, because they interrupt the waiting of the main thread.
///
/// - Throws: `.unavailable` if the system permits no more threads.
package func startThread(
  _ body: @escaping @Sendable () -> Void
) throws(RSSIError) -> pthread_t {
  var (signals, before) = (sigset_t(), sigset_t())
  sigfillset(&signals)
  for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV] { sigdelset(&signals, fault) }
  pthread_sigmask(SIG_SETMASK, &signals, &before)
  var thread = pthread_t()
  let work = Unmanaged.passRetained(ThreadWork(body: body))
  let result = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, work.toOpaque())
  pthread_sigmask(SIG_SETMASK, &before, nil)
  guard result == 0 else {
    work.release()
    throw RSSIError(
      .unavailable, "cannot start a thread: \(systemMessage(result))",
      advice: "raise the limit of processes (ulimit -u, or that of the service or container)")
  }
  return thread
}

/// Runs a function on a new thread, which ends with it.
///
/// - Throws: `.unavailable` if the system permits no more threads.
package func detachThread(_ body: @escaping @Sendable () -> Void) throws(RSSIError) {
  pthread_detach(try startThread(body))
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Threads that stay for the next work, which never waits for another's end.
///
/// Those of Dispatch look at each other in /proc, and end a program that lacks it.
private final class WorkerThreads: Sendable {
  static let shared = WorkerThreads()

  private let condition = Condition()
  nonisolated(unsafe) private var waiting: [@Sendable () -> Void] = []
  nonisolated(unsafe) private var idle = 0

  func run(_ work: @escaping @Sendable () -> Void) {
    let isTaken = condition.withLock {
      waiting.append(work)
      guard waiting.count > idle else {
        condition.signal()
        return true
      }
      do throws(RSSIError) {
        // Without the work, which a thread would hold to its end with all the memory in it.
        try detachThread { while true { self.next()() } }
        return true
      } catch {
        waiting.removeLast()
        return false
      }
    }
    // Without another thread, this one does the work.
    if !isTaken { work() }
  }

  private func next() -> @Sendable () -> Void {
    condition.withLock {
      while waiting.isEmpty {
        idle += 1
        condition.wait()
        idle -= 1
      }
      return waiting.removeFirst()
    }
  }
}

/// Runs a function on another thread; on this one if the system permits no more threads.
package func runInBackground(_ work: @escaping @Sendable () -> Void) {
  WorkerThreads.shared.run(work)
}

/// Functions on other threads, whose end can be awaited.
package final class BackgroundWork: Sendable {
  private let condition = Condition()
  nonisolated(unsafe) private var running = 0

  package init() {}

  /// Starts a function on another thread.
  package func start(_ work: @escaping @Sendable () -> Void) {
    condition.withLock { running += 1 }
    runInBackground {
      work()
      self.end()
    }
  }

  /// Waits until all functions have ended.
  package func wait() {
    condition.withLock { while running > 0 { condition.wait() } }
  }

  private func end() {
    condition.withLock {
      running -= 1
      condition.broadcast()
    }
  }
}
