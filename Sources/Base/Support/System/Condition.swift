import Glibc

/// A lock whose holder can wait until another thread changes the guarded state.
package final class Condition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    // Waits use a clock that is never set.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  package func lock() { pthread_mutex_lock(mutex) }
  package func unlock() { pthread_mutex_unlock(mutex) }

  package func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  /// Releases the lock until another thread calls `broadcast`.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits like `wait()`, at most the given milliseconds.
  package func wait(atMost milliseconds: Int) {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = end.tv_nsec + milliseconds * 1_000_000
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &end)
  }

  /// Ends the waiting of one thread.
  func signal() { pthread_cond_signal(condition) }

  package func broadcast() { pthread_cond_broadcast(condition) }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }
}
