import Glibc

/// The temporary files of a program, so that one which is interrupted leaves none behind.
package enum UnfinishedFiles {
  /// C strings, since a signal handler must not touch anything that allocates; nil = free.
  nonisolated(unsafe) private static let paths = UnsafeMutableBufferPointer<
    UnsafeMutablePointer<CChar>?
  >.allocate(capacity: 64)
  nonisolated(unsafe) private static var isPrepared = false

  /// The signals that end a program by default and that it may catch, but for faults of its own.
  private static let signals = [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF,
  ]

  /// Removes them when a signal ends the program, which then ends with 128 + signal.
  package static func removeOnInterrupt() {
    prepare()
    var stops = sigset_t()
    sigemptyset(&stops)
    for number in signals {
      sigaddset(&stops, number)
      signal(number) { number in
        UnfinishedFiles.remove()
        _exit(128 + number)
      }
    }
    // The program that started this one may have blocked them, which is inherited.
    pthread_sigmask(SIG_UNBLOCK, &stops, nil)
  }

  /// Removes them; a signal handler may call it.
  package static func remove() {
    for path in paths { if let path { unlink(path) } }
  }

  static func add(_ path: String) {
    prepare()
    guard let free = paths.firstIndex(where: { $0 == nil }) else { return }
    paths[free] = strdup(path)
  }

  static func remove(_ path: String) {
    prepare()
    for index in paths.indices {
      guard let known = paths[index], strcmp(known, path) == 0 else { continue }
      // Leaked on purpose: the handler may be reading it.
      paths[index] = nil
      return
    }
  }

  private static func prepare() {
    guard !isPrepared else { return }
    isPrepared = true
    paths.initialize(repeating: nil)
  }
}
